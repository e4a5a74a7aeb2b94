import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { decide } from '../approval/decide'
import { localFileView } from '../approval/paths/file-view'
import { createToolset } from '../toolsets'
import { toolsetNames } from '../toolsets/names'
import { withPlanTool } from './plan-first'
import { type Bench, createBench, type Run } from './test-bench'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
  writeFileSync(join(bench.folder, 'a.txt'), 'one\n')
})
afterEach(() => bench.close())

const files = localFileView(homedir(), process.env.PATH ?? '')
const plan = '# Two steps\n\n1. Write b.txt\n2. Check it'
const start = (interactive = true) =>
  bench.start({ decide: (access, policy) => decide(access, policy, files), interactive })
/** A session that plans first, with its plan. */
const planned = async (interactive = true) => {
  const run = start(interactive)
  const id = run.newSession('plan')
  run.runner.send(id, 'Make b.txt', [])
  return { run, id, question: await run.question() }
}
const written = () => existsSync(join(bench.folder, 'b.txt'))
const toolsOf = (at: number): string[] =>
  (bench.model.requests[at]?.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name)
const told = (at: number): string => JSON.stringify(bench.model.requests[at]?.body.messages)
const result = (run: Run, id: string, at: number) => run.transcript(id).calls[at]?.state

test('nothing is changed until a plan is approved, and then the chosen mode holds', async () => {
  bench.model.push(
    [
      { call: 'Read', args: { path: 'a.txt' } },
      { call: 'Write', args: { path: 'b.txt', content: 'no\n' } },
      { call: 'Bash', args: { command: 'touch b.txt' } },
    ],
    calls('SubmitPlan', { plan }),
    calls('Write', { path: 'b.txt', content: 'yes\n' }),
    says('Done as planned.'),
  )
  const { run, id, question } = await planned()
  expect(question).toMatchObject({ kind: 'plan', plan, title: 'Review the plan' })
  expect(result(run, id, 0)?.status).toBe('done')
  expect([result(run, id, 1), result(run, id, 2)]).toMatchObject([
    { status: 'denied', message: expect.stringContaining('until the user approves a plan') },
    { status: 'denied' },
  ])
  expect(written()).toBe(false)
  expect(toolsOf(0)).toContain('SubmitPlan')
  expect(told(0)).toContain('Plan first')
  expect(() => run.runner.answer(question.id, { decision: 'allow', scope: 'once' })).toThrow(
    'Approve or reject the plan.',
  )

  run.runner.answer(question.id, { decision: 'approve-plan', plan: `${plan}\n3. And c.txt`, mode: 'workspace' })
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done', text: 'Done as planned.' })
  expect(run.store.sessions.get(id).mode).toBe('workspace')
  expect(readFileSync(join(bench.folder, 'b.txt'), 'utf8')).toBe('yes\n')
  expect(told(2)).toContain('They edited it first')
  expect(told(2)).toContain('3. And c.txt')
  expect(told(2)).not.toContain('wants a plan before anything changes')
  expect(result(run, id, 3)).toMatchObject({ status: 'done', display: { type: 'plan', verdict: 'approved' } })
})

test('a plan that is sent back is revised, and one that is rejected changes nothing', async () => {
  bench.model.push(
    calls('SubmitPlan', { plan }),
    calls('SubmitPlan', { plan: 'Another plan' }),
    calls('Write', { path: 'b.txt', content: 'no\n' }),
    says('What would you like instead?'),
  )
  const { run, id, question } = await planned()
  run.runner.answer(question.id, { decision: 'deny', note: 'Shorter, please' })
  await expect.poll(() => run.runner.questions()[0]?.question.plan).toBe('Another plan')
  expect(told(1)).toContain('wants changes to the plan: Shorter, please')
  run.runner.answer(run.runner.questions()[0]?.question.id ?? '', { decision: 'deny' })
  await run.turnEnd(id)
  expect(told(2)).toContain('The user rejected the plan.')
  expect([run.store.sessions.get(id).mode, written()]).toEqual(['plan', false])
})

test('a plan outlives a crash; approved then, the work begins', async () => {
  bench.model.push(calls('SubmitPlan', { plan }))
  const { run: first, id, question } = await planned()
  first.crash()

  const second = start()
  expect(second.runner.questions()).toMatchObject([{ question: { id: question.id, plan } }])
  bench.model.push(calls('Write', { path: 'b.txt', content: 'yes\n' }), says('Done.'))
  second.runner.answer(question.id, { decision: 'approve-plan', plan, mode: 'workspace' })
  expect(await second.turnEnd(id)).toMatchObject({ reason: 'done', text: 'Done.' })
  expect([written(), second.store.sessions.get(id).mode]).toEqual([true, 'workspace'])
})

test('where nobody is there the plan waits all the same', async () => {
  bench.model.push(calls('SubmitPlan', { plan }))
  expect((await planned(false)).question.plan).toBe(plan)
})

test('every vocabulary has the tool while a plan is to be made, under a name of its own manner', () => {
  const found = toolsetNames.map((name) => {
    const run = start()
    const own = createToolset(name, { table: run.table, setTodo: () => {} })
    const wrapped = withPlanTool(own, (id) => id === 'planning')
    const more = (id: string) => [...(wrapped.offered?.(id) ?? [])].filter((tool) => !own.tools.has(tool))
    return [name, more('planning'), more('working'), wrapped.tools.size - own.tools.size]
  })
  expect(found).toEqual([
    ['deckhand', ['SubmitPlan'], [], 1],
    ['gsv', ['gsv__SubmitPlan'], [], 1],
    ['clawft', ['submit_plan'], [], 1],
    ['miclaw', ['submit_plan'], [], 1],
    ['buddy', ['submit_plan'], [], 1],
  ])
})
