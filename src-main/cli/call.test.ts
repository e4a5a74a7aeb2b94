import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { StorageError } from '../storage/storage-error'
import { makeCalls } from './call'

let root = ''
let engine: Engine
let sessionId = ''
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-call-'))
  engine = await openEngine(join(root, 'data'))
  sessionId = engine.createSession({ workspace: root, mode: 'all' }).id
})
afterEach(async () => {
  vi.restoreAllMocks()
  await engine.close()
  rmSync(root, { recursive: true, force: true })
})

/** What is said to these lines. */
const answersTo = async (...lines: unknown[]): Promise<unknown[]> => {
  const said: unknown[] = []
  const input = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`))
  await makeCalls(engine, sessionId, { input, say: (answer) => said.push(answer) }, new AbortController().signal)
  return said
}

test('a call that meets a full disk is answered in words, and the calls after it are made', async () => {
  vi.spyOn(engine.runner, 'call').mockRejectedValueOnce(new StorageError('full', '/data'))
  const message = 'The disk that holds /data is full: nothing more could be saved. Free some space, then try again.'
  expect(
    await answersTo(
      { id: 'a', tool: 'Bash', args: { command: 'echo lost' } },
      { id: 'b', tool: 'Bash', args: { command: 'echo made' } },
    ),
  ).toMatchObject([
    {
      id: 'a',
      content: [{ type: 'text', text: message }],
      isError: true,
      error: { kind: 'ExecutionFailed', message },
    },
    { id: 'b', isError: false, error: null },
  ])
})

test('a bug ends the calls', async () => {
  vi.spyOn(engine.runner, 'call').mockRejectedValueOnce(new Error('not foreseen'))
  await expect(answersTo({ id: 1, tool: 'Bash', args: { command: 'true' } })).rejects.toThrow('not foreseen')
})
