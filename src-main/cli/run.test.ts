import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { openEngine, saveScripted } from '../compose/test-engine'
import { openDatabase } from '../database'
import { createStore } from '../session/store'
import { run } from './run'

let root = ''
let model: ScriptedModel
let sessionId = ''

/** A session in which a message waits, as after a stop in the window. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-run-'))
  mkdirSync(join(root, 'workspace'))
  model = await scriptedModel([], { models: ['scripted'] })
  const engine = await openEngine(join(root, 'data'))
  const id = await saveScripted(engine, model)
  sessionId = engine.createSession({ mode: 'all', workspace: join(root, 'workspace'), model: id }).id
  engine.store.queue.add(sessionId, 'earlier', [])
  await engine.close()
})
afterEach(async () => {
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

const stopping = { signal: new AbortController().signal, exitCode: null, stop: () => {}, attend: () => {} }

const runOn = (prompt: string): Promise<number> =>
  run(
    new Map([
      ['data', join(root, 'data')],
      ['workspace', join(root, 'workspace')],
      ['session', sessionId],
      ['approve', 'all'],
      ['json', 'true'],
    ]),
    [prompt],
    stopping,
  )

const left = () => {
  const database = openDatabase(join(root, 'data'))
  const store = createStore(database)
  const said = store.messages.since(sessionId, 0).flatMap(({ role, parts }) => (role === 'system' ? [] : parts))
  const queued = store.queue.list(sessionId).map(({ text }) => text)
  database.close()
  return { said: said.flatMap((part) => (part.type === 'text' ? [part.text] : [])), queued }
}

test('a run in a session where messages wait answers those first, and ends with its own', async () => {
  model.push(says('To the earlier.'), says('To mine.'))
  expect(await runOn('mine')).toBe(0)
  expect(left()).toEqual({ said: ['earlier', 'To the earlier.', 'mine', 'To mine.'], queued: [] })
})

test('a run ends where a message before its own fails, and its own waits', async () => {
  model.push([{ status: 400, body: { error: { message: 'no' } } }])
  expect(await runOn('mine')).toBe(1)
  expect(left()).toEqual({ said: ['earlier'], queued: ['mine'] })
})
