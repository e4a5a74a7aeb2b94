import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls, type ModelRequest, type ScriptedModel, says, scriptedModel, type Turn } from '../e2e/scripted-model'
import { definitionsOf } from '../src-main/tools/tool'
import { foreignPrompts } from './foreign-prompts'
import { openWorld } from './world'

// One of them shares a session of tmux with its user, on a server of our own.
const tmuxFolder = mkdtempSync(join(tmpdir(), 'deckhand-prompts-'))
process.env.TMUX_TMPDIR = tmuxFolder
process.env.SHELL = '/bin/sh'

/** A prompt for another system, played by a model that uses that system's names and shapes. */
const world = openWorld()
let model: ScriptedModel
let modelId = ''

/** By what has been answered so far: a session may also be woken by the end of what it left in the background. */
function nextStep({ body }: ModelRequest): Turn {
  const asked = JSON.stringify(body.messages)
  const steps = foreignPrompts.find(({ prompt }) => asked.includes(JSON.stringify(prompt).slice(1, -1)))?.steps ?? []
  const step = steps[body.messages.filter(({ role }: { role: string }) => role === 'tool').length]
  return step ? calls(step.call, step.args) : says('All done.')
}

beforeAll(async () => {
  model = await scriptedModel([], { models: ['scripted'], otherwise: nextStep })
  const { engine } = world
  engine.updateSettings({ nodeName: 'laptop' })
  await engine.shellNodes.use({ kind: 'local', tmux: 'prompts' }, false)
  await engine.providers.save({ name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl })
  modelId = engine.providers.list().flatMap(({ models }) => models)[0]?.id ?? ''
})
afterAll(async () => {
  await model.close()
  execFileSync('tmux', ['kill-server'])
  rmSync(tmuxFolder, { recursive: true, force: true })
})

describe.each(foreignPrompts)('a prompt for $toolset', ({ toolset, prompt, steps, leaves }) => {
  it('names only tools that are there', () => {
    const offered = new Set(definitionsOf(world.engine.toolset(toolset)).map(({ name }) => name))
    const named = new Set([...prompt.matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? ''))
    expect([...named].filter((name) => !offered.has(name))).toEqual([])
    expect(steps.filter(({ call }) => !named.has(call))).toEqual([])
  })

  it('runs unchanged', async () => {
    const { engine, workspace } = world
    const session = engine.createSession({ toolset, mode: 'all', workspace, model: modelId, title: toolset })
    const { reason, text } = await engine.runner.sendAndWait(session.id, prompt)
    expect({ reason, text }).toEqual({ reason: 'done', text: 'All done.' })

    const told: string[] = model.requests
      .findLast(({ body }) => JSON.stringify(body.messages).includes(JSON.stringify(prompt).slice(1, -1)))
      ?.body.messages.flatMap(({ role, content }: { role: string; content: string }) =>
        role === 'tool' ? content : [],
      )
    expect(told).toHaveLength(steps.length)
    for (const [index, { answers }] of steps.entries()) expect(told[index]).toMatch(answers)
    expect(readFileSync(join(workspace, leaves.file), 'utf8')).toBe(leaves.text)
  })
})
