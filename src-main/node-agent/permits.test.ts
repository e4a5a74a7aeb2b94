import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { permitMs } from '../gateway/wire'
import { silentLog } from '../log'
import { createWriteTool } from '../tools/files/write'
import { localToolNode } from '../tools/nodes/tool-node'
import type { Tool } from '../tools/tool'
import { createInvocations } from './invocations'
import { createPermits } from './permits'

/** The clocks of the two machines are years apart. */
const gatewayNow = 5_000_000
let now: number
let workspace: string
let answers: Record<string, unknown>[]
let node: ReturnType<typeof createInvocations>
let permits: ReturnType<typeof createPermits>

beforeEach(() => {
  now = 1_000
  workspace = mkdtempSync(join(tmpdir(), 'deckhand-permits-'))
  answers = []
  permits = createPermits(() => now)
  permits.greeted({ server: { connectionId: 'this one', time: gatewayNow } })
  node = createInvocations({
    tools: new Map([['Write', createWriteTool(localToolNode('here')) as Tool]]),
    workspace,
    permits,
    link: () => ({ tell: (_method, params) => void answers.push(params as Record<string, unknown>) }),
    log: silentLog,
  })
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

const write = async (callId: string, permit?: object) => {
  const before = answers.length
  node.invoke({ callId, tool: 'Write', args: { path: `${callId}.txt`, content: 'x' }, permit })
  await node.settled(callId)
  expect(answers).toHaveLength(before + 1)
  return answers.at(-1)
}
const permit = { connectionId: 'this one', expiresAt: gatewayNow + permitMs }

it('is good for one call, and not for a second', async () => {
  expect(await write('a', permit)).toMatchObject({ callId: 'a', result: { bytes: 1 } })
  rmSync(join(workspace, 'a.txt'))
  expect(await write('a', permit)).toMatchObject({ error: 'This call was made before', kind: 'PermissionDenied' })
  expect(readdirSync(workspace)).toEqual([])
})

it('holds for 120 seconds by the clock of whoever gave it', async () => {
  now += 120_000
  expect(await write('just', permit)).toMatchObject({ result: { bytes: 1 } })
  now += 1
  expect(await write('late', permit)).toMatchObject({ error: 'This call was allowed too long ago' })
  // Nor does it get better by trying again with a fresh one: the call itself is used up.
  expect(await write('late', { ...permit, expiresAt: gatewayNow + 10 * permitMs })).toMatchObject({
    error: 'This call was made before',
  })
  expect(readdirSync(workspace)).toEqual(['just.txt'])
})

it('belongs to the connection that the node proved its key on', async () => {
  expect(await write('b', { ...permit, connectionId: 'another' })).toMatchObject({
    error: 'This call was allowed for another connection',
  })
  permits.greeted({ server: { connectionId: 'the next', time: gatewayNow } })
  expect(await write('c', permit)).toMatchObject({ error: 'This call was allowed for another connection' })
  expect(await write('d')).toMatchObject({ error: 'This call comes without a permit' })
  expect(readdirSync(workspace)).toEqual([])
})

it('is not asked of a gateway that gives none', async () => {
  permits.greeted({ type: 'hello-ok', protocol: 1 })
  expect(await write('e')).toMatchObject({ result: { bytes: 1 } })
})
