import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message } from '../../src-preload/contract/messages'
import type { Engine } from '../engine'
import { makeFolder, removeFolder } from '../test-folder'
import { openEngine } from './test-engine'

let root: string
let workspace: string
let model: ScriptedModel
let engine: Engine
let id: string
let events: DeckhandEvent[]

const open = async () => {
  engine = await openEngine(join(root, 'data'))
  events = []
  engine.subscribe((event) => events.push(event))
}

beforeEach(async () => {
  root = makeFolder('rewind')
  workspace = join(root, 'workspace')
  mkdirSync(workspace)
  model = await scriptedModel()
  await open()
  const chosen = `${engine.providers.addTemporary('openai', model.baseUrl)}/scripted`
  id = engine.createSession({ workspace, model: chosen, mode: 'all' }).id
})
afterEach(async () => {
  await engine.close()
  await model.close()
  removeFolder(root)
})

const at = (path: string): string => join(workspace, path)
const textOf = (path: string): string | null => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null)
const messages = (): Message[] => engine.runner.page(id, undefined, 500).messages
const said = (text: string): Message => {
  const found = messages().find(({ parts }) => parts.some((part) => part.type === 'text' && part.text === text))
  if (!found) throw new Error(`Nobody said ${text}`)
  return found
}
const rewindId = (): string => {
  for (const { parts } of messages().toReversed())
    for (const part of parts) if (part.type === 'notice' && part.notice.kind === 'rewind') return part.notice.rewindId
  throw new Error('There is no rewind')
}

/** A turn whose one command changes files. */
const turn = async (words: string, command: string) => {
  model.push(calls('Bash', { command }), says(`Did ${words}`))
  await engine.runner.sendAndWait(id, words)
  await engine.receipts.settled()
}

const threeTurns = async () => {
  writeFileSync(at('a.txt'), 'a0\n')
  await turn('first', 'echo a1 > a.txt')
  await turn('second', 'echo a2 > a.txt; echo b2 > b.txt')
  await turn('third', 'echo a3 > a.txt; rm b.txt; mkdir d; echo c3 > d/c.txt')
}
const before = () => [textOf('a.txt'), textOf('b.txt'), textOf('d/c.txt')]

test('chat and files go back together, and both come back whole', async () => {
  await threeTurns()
  const whole = messages()
  const preview = await engine.runner.previewRewind(id, said('second').id)
  expect(preview).toMatchObject({ messages: 6, stays: [] })
  expect(preview.steps.map(({ path, problem }) => [path, problem])).toEqual([
    ['d/c.txt', undefined],
    ['d', undefined],
    ['a.txt', undefined],
  ])

  await engine.runner.rewind(id, said('second').id, 'both', [])
  expect(before()).toEqual(['a1\n', null, null])
  expect(existsSync(at('d'))).toBe(false)
  expect(messages().map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'system'])
  model.push(says('Yes.'))
  await engine.runner.sendAndWait(id, 'Do you know?')
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(sent).not.toContain('second')
  expect(sent).toContain('restored these files')

  // What was said since is set aside, and that can be undone as well.
  await engine.runner.undoRewind(id, rewindId())
  expect(before()).toEqual(['a3\n', null, 'c3\n'])
  expect(messages().slice(0, -1)).toEqual(whole)
  expect(events.some((event) => event.type === 'receipt' && event.receipt.undone > 0)).toBe(true)
  expect(engine.receipts.list(id).map(({ undone }) => undone)).toEqual([0, 0, 0])
  await engine.runner.undoRewind(id, rewindId())
  expect(messages().some(({ parts }) => parts.some((part) => part.type === 'text' && part.text === 'Yes.'))).toBe(true)
  expect(engine.store.search('Yes').length).toBeGreaterThan(0)
})

test('after an answer of the agent its own work stays, and what came later goes', async () => {
  await threeTurns()
  await engine.runner.rewind(id, said('Did second').id, 'files', [])
  expect(before()).toEqual(['a2\n', 'b2\n', null])
  expect(said('third')).toBeTruthy()
  await engine.runner.undoRewind(id, rewindId())
  expect(before()).toEqual(['a3\n', null, 'c3\n'])
  await expect(engine.runner.undoRewind(id, rewindId())).rejects.toThrow('undone already')
})

test('the chat alone goes back, also over a restart', async () => {
  await threeTurns()
  await engine.runner.rewind(id, said('first').id, 'chat', [])
  expect(before()).toEqual(['a3\n', null, 'c3\n'])
  expect(messages()).toHaveLength(1)
  await engine.close()
  await open()
  await engine.runner.undoRewind(id, rewindId())
  expect(said('Did third')).toBeTruthy()
})

test('what was changed by hand is asked about, kept, and comes back', async () => {
  await threeTurns()
  writeFileSync(at('a.txt'), 'by hand\n')
  const point = said('third').id
  const { steps } = await engine.runner.previewRewind(id, point)
  expect(steps.find(({ path }) => path === 'a.txt')).toMatchObject({ problem: 'changed-since', canForce: true })
  await engine.runner.rewind(id, point, 'files', [])
  expect(before()).toEqual(['by hand\n', 'b2\n', null])
  await engine.runner.undoRewind(id, rewindId())
  expect(before()).toEqual(['by hand\n', null, 'c3\n'])

  await engine.runner.rewind(id, point, 'files', [{ workspace, path: 'a.txt' }])
  expect(before()).toEqual(['a2\n', 'b2\n', null])
  // A change after going back is not lost by undoing that.
  writeFileSync(at('b.txt'), 'newer\n')
  await engine.runner.undoRewind(id, rewindId())
  expect(before()).toEqual(['by hand\n', 'newer\n', 'c3\n'])
  expect(JSON.stringify(messages().at(-1))).toContain('b.txt')
})

test('a change by hand between two calls is asked about', async () => {
  writeFileSync(at('a.txt'), 'a0\n')
  await turn('first', 'echo a1 > a.txt')
  writeFileSync(at('a.txt'), 'mine\n')
  await turn('second', 'echo a2 > a.txt')
  const { steps } = await engine.runner.previewRewind(id, said('first').id)
  expect(steps).toMatchObject([{ path: 'a.txt', problem: 'changed-between', canForce: true }])
  await expect(engine.runner.rewind(id, said('first').id, 'files', [])).rejects.toThrow('nothing to go back')
  expect(textOf('a.txt')).toBe('a2\n')
  // Only what happened since counts for a later point.
  await engine.runner.rewind(id, said('second').id, 'files', [])
  expect(textOf('a.txt')).toBe('mine\n')
})

test('what cannot be brought back is said, and a message of another session is refused', async () => {
  writeFileSync(at('.env'), 'TOKEN=1\n')
  await turn('first', 'echo TOKEN=2 > .env; echo x > x.txt')
  const { steps } = await engine.runner.previewRewind(id, said('first').id)
  expect(steps.map(({ path, problem }) => [path, problem])).toEqual([
    ['x.txt', undefined],
    ['.env', 'not-kept'],
  ])
  const other = engine.createSession({ workspace }).id
  await expect(engine.runner.previewRewind(other, said('first').id)).rejects.toThrow('no such message')
  await expect(engine.runner.rewind(id, 'm_nothing', 'both', [])).rejects.toThrow('no such message')
})
