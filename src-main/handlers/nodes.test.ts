import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { nodeHandlers } from './nodes'

let folder: string
let engine: Engine
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-node-calls-'))
  engine = await openEngine(folder)
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

test('this machine shows the end of its own log, like any other node', async () => {
  for (const message of ['first', 'second', 'third']) engine.log.info(message)
  const id = engine.nodes.registry.localId()
  const log = await nodeHandlers(engine)['node.logs']({ id, lines: 2 })
  expect(log).toMatchObject({ nodeId: id, count: 2, truncated: true })
  expect(log.lines.map((line) => JSON.parse(line).message)).toEqual(['second', 'third'])
})

test('a log that nothing was written into is empty', async () => {
  expect(await nodeHandlers(engine)['node.logs']({ id: 'local' })).toMatchObject({ lines: [], truncated: false })
})

test('programs are looked for on this machine too', async () => {
  const found = await nodeHandlers(engine)['node.probe']({ id: 'local', bins: ['sh', 'no-such-program'] })
  expect(found).toEqual({ sh: true, 'no-such-program': false })
})

test('a node that does not exist has neither', async () => {
  const handlers = nodeHandlers(engine)
  await expect(handlers['node.logs']({ id: 'nowhere' })).rejects.toThrow('There is no node nowhere')
  await expect(handlers['node.probe']({ id: 'nowhere', bins: ['sh'] })).rejects.toThrow('There is no node nowhere')
  await expect(handlers['node.revoke']({ id: 'local' })).rejects.toThrow('Deckhand itself')
})

test('what was allowed on a node ends with its name, and nothing else does', () => {
  const { store, nodes } = engine
  const keep = (node?: string) =>
    store.rules.add({
      scope: 'everywhere',
      subject: '',
      verdict: 'allow',
      action: 'exec',
      match: { kind: 'argv', argv: ['make', 'test'], ...(node && { node }) },
      sentence: `make test${node ? ` on ${node}` : ''}`,
      expiresAt: null,
    })
  for (const id of ['one', 'two', 'three']) nodes.gateway.add({ id })
  for (const node of ['one', 'two', 'three', undefined]) keep(node)
  const handlers = nodeHandlers(engine)
  handlers['node.revoke']({ id: 'one' })
  handlers['node.rename']({ id: 'two', newId: 'four' })
  expect(store.rules.list().map(({ sentence }) => sentence)).toEqual(['make test on three', 'make test'])
})
