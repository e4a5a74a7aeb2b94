import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHostedBench } from '../src-main/compose/hosted-bench'
import { serveModel } from './model-server'
import { agentServer, realAgents } from './real-agents'

/** Real agents play a turn with a command, a file change, a denial, a stop and a resume, against a scripted model. */

/** Among the other unit tests goose is played, where `npm run agents` has installed it before. */
const installed = process.env.DECKHAND_AGENTS ?? join(import.meta.dirname, '../node_modules/.cache/agents')
const wanted = (process.env.DECKHAND_AGENT_NAMES ?? 'goose').split(' ').filter(Boolean)
const limit = 120_000

const chosen = realAgents.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
if (chosen.length === 0) test.skip('none of them is wanted', () => {})

for (const { id, program } of chosen)
  if (!existsSync(join(installed, program)))
    console.log(`${id} is not installed and is skipped: npm run agents -- ${id}`)

for (const agent of chosen)
  describe.skipIf(!existsSync(join(installed, agent.program)))(agent.id, () => {
    let bench: Awaited<ReturnType<typeof openHostedBench>>
    let run: Awaited<ReturnType<(typeof bench)['start']>>
    let model: Awaited<ReturnType<typeof serveModel>>
    let session = ''

    beforeAll(async () => {
      model = await serveModel()
      bench = await openHostedBench({})
      const home = join(bench.folder, 'home')
      mkdirSync(home)
      const server = agentServer(agent, installed, model.url, home)
      const settings = {
        agent_servers: { [agent.id]: server },
        // A trace is written outside of what the sandbox lets it write.
        ...(process.env.DECKHAND_AGENT_LOG && { agentSandbox: { [agent.id]: { on: false } } }),
        ...(agent.signIn && { agentSignIns: { [agent.id]: agent.signIn } }),
      }
      writeFileSync(join(bench.dataDir, 'settings.json'), JSON.stringify(settings))
      run = await bench.start()
      session = run.session('ask', agent.id)
    }, limit)
    afterAll(async () => {
      await bench.close()
      await model.close()
    })

    /** Answers every question of the turn the same way, and tells what was asked. */
    const turn = async (text: string, decision: 'allow' | 'deny') => {
      const asked: string[] = []
      const stop = run.engine.subscribe((event) => {
        if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
        const { question } = event.call.state
        if (asked.includes(question.id)) return
        asked.push(question.id)
        asked.push(question.command ?? question.resources?.join(' ') ?? question.title)
        setImmediate(() =>
          run.engine.runner.answer(question.id, decision === 'allow' ? { decision, scope: 'once' } : { decision }),
        )
      })
      const end = await run.turn(session, text)
      stop()
      return { end, asked: asked.filter((_, index) => index % 2 === 1).join('\n') }
    }

    test(
      'plays a turn with a command, which is asked about by what runs',
      async () => {
        const { end, asked } = await turn('RUN: echo made-by-agent > made.txt', 'allow')
        expect(end, JSON.stringify(run.sketch(session))).toMatchObject({ reason: 'done' })
        expect(asked).toBe('echo made-by-agent > made.txt')
        expect(readFileSync(join(bench.workspace, 'made.txt'), 'utf8')).toContain('made-by-agent')
        expect(run.sketch(session).join('\n')).toContain('That is done.')
        const { caged, cage } = run.engine.hosts.info(session) ?? {}
        console.log(`${agent.id} runs ${caged ? 'in the sandbox' : `outside: ${cage?.note}`}`)
      },
      limit,
    )

    test(
      'its change can be undone',
      async () => {
        await run.engine.receipts.settled()
        const call = run.calls(session).find(({ gist }) => gist.includes('made.txt'))
        expect(run.engine.receipts.get(call?.id ?? '')?.files.map(({ path }) => path)).toContain('made.txt')
        const undone = await run.engine.receipts.undo(call?.id ?? '', 'undo', true)
        expect(undone.left).toEqual([])
        expect(existsSync(join(bench.workspace, 'made.txt'))).toBe(false)
      },
      limit,
    )

    test(
      'changes a file, which is asked about',
      async () => {
        const path = join(bench.workspace, 'written.txt')
        const { end, asked } = await turn(`WRITE: ${path} some words`, 'allow')
        expect(end, JSON.stringify(run.sketch(session))).toMatchObject({ reason: 'done' })
        expect(asked).toContain('written.txt')
        expect(readFileSync(path, 'utf8')).toContain('some words')
      },
      limit,
    )

    test(
      'has our tools, and is asked about them once',
      async () => {
        const { end, asked } = await turn('OWN: echo by-our-tool > ours.txt', 'allow')
        expect(end, JSON.stringify(run.sketch(session))).toMatchObject({ reason: 'done' })
        expect(asked).toBe('echo by-our-tool > ours.txt')
        expect(readFileSync(join(bench.workspace, 'ours.txt'), 'utf8')).toContain('by-our-tool')
        const made = run.calls(session).filter(({ gist }) => gist.includes('ours.txt'))
        expect(made.map(({ name, state }) => [name, state.status])).toEqual([['Bash', 'done']])
        expect(made[0]?.state).toMatchObject({ display: { type: 'process', processId: expect.stringMatching(/./) } })
      },
      limit,
    )

    test(
      'takes a denial',
      async () => {
        const { end } = await turn('RUN: touch denied.txt', 'deny')
        expect(['done', 'stopped']).toContain(end.reason)
        expect(existsSync(join(bench.workspace, 'denied.txt'))).toBe(false)
        expect(run.calls(session).some(({ state }) => state.status === 'denied')).toBe(true)
      },
      limit,
    )

    test(
      'stops',
      async () => {
        const ended = run.turn(session, 'WAIT: now')
        await expect.poll(() => model.waits(), { timeout: 60_000 }).toBe(true)
        run.engine.runner.stop(session)
        expect((await ended).reason).toBe('stopped')
      },
      limit,
    )

    test(
      'goes on after a restart, or says plainly that it cannot',
      async () => {
        await run.engine.close()
        run = await bench.start()
        const end = await run.turn(session, 'Hello again')
        const state = run.engine.hosts.info(session)?.state
        console.log(`${agent.id} after a restart: ${state}`)
        if (state === 'read-only') expect(end.error?.message).toContain('can be read here')
        else
          expect(end, JSON.stringify(run.sketch(session))).toMatchObject({
            reason: 'done',
            text: expect.stringContaining('Hello from the model.'),
          })
      },
      limit,
    )

    test(
      'an edited message goes on in a branch, by a fork where it offers one',
      async () => {
        const source = run.session('ask', agent.id)
        await run.turn(source, 'Hello')
        await run.turn(source, 'Hello once more')
        const { messages } = run.engine.store.messages.page(source, undefined, 500)
        const asked = messages.findLast(({ role }) => role === 'user')
        const branch = run.engine.runner.branch(source, asked?.id ?? '', 'Hello in a branch', [])
        await run.engine.runner.settled(branch.id)
        expect(run.sketch(branch.id).at(-1)).toContain('Hello from the model.')
        const said = run.engine.store.messages
          .since(branch.id, asked?.seq ?? 0)
          .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'notice' ? part.notice.text : [])))
        console.log(`${agent.id} ${said.length === 0 ? 'forks' : `does not fork: ${said.join(' ')}`}`)
        expect(said.length === 0).toBe(agent.forks ?? false)
      },
      limit,
    )
  })
