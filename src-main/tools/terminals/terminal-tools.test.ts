import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandEnv } from '../../nodes/command-env'
import type { ProcessTable } from '../../nodes/process-table'
import { localShellNode } from '../../nodes/shell/open-node'
import { openTestTable } from '../../nodes/test-table'
import { testContext } from '../test-context'
import type { Tool, ToolContext } from '../tool'
import { thisMachine } from './panes'
import { createTerminalCapture, createTerminalKeys } from './terminal-tools'

let root = ''
let table: ProcessTable
let capture: Tool
let keys: Tool

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-terminals-'))
  table = openTestTable(join(root, 'logs'))
  const deps = { table, machine: (node?: string) => (node === undefined ? thisMachine : null) }
  capture = createTerminalCapture(deps) as Tool
  keys = createTerminalKeys(deps) as Tool
})
afterAll(async () => {
  await table.close()
  rmSync(root, { recursive: true, force: true })
})

const context = (): ToolContext => testContext(root, 'mine')
const start = async (script: string, { sessionId = 'mine', byUser = false } = {}) => {
  const argv = ['sh', '-c', script] as const
  return (await table.start({ sessionId, callId: null, command: script, argv, cwd: root, background: true, byUser })).id
}
const ask = async (tool: Tool, args: object) => {
  const [first] = (await tool.run(tool.parse(args), context())).content
  return JSON.parse(first?.type === 'text' ? first.text : '')
}
const accessTo = (tool: Tool, args: object) => tool.access(tool.parse(args), context())
const shows = (target: string, text: string) =>
  vi.waitFor(async () => expect((await ask(capture, { target })).screen).toContain(text), { timeout: 30_000 })

test('a terminal is seen as its program drew it, and typed into: text, keys, Enter', async () => {
  const target = await start('printf "name? "; read name; printf "\\033[2J\\033[3;5Hhello %s" "$name"; sleep 60')
  await shows(target, 'name?')
  expect(await ask(keys, { target, text: 'Annx', keys: ['BSpace', 'a'], enter: true })).toEqual({ target, sent: true })
  await shows(target, 'hello Anna')
  expect((await ask(capture, { target })).screen).toBe('\n\n    hello Anna')
  await ask(keys, { target, keys: ['C-c'] })
  expect(await table.wait(target)).toBe('exited')
  expect(await ask(capture, { target })).toMatchObject({
    running: false,
    screen: expect.stringContaining('hello Anna'),
  })
})

test('what has scrolled away can be asked for', async () => {
  const target = await start('seq 200; echo ready; sleep 60')
  await shows(target, 'ready')
  expect((await ask(capture, { target })).screen).not.toMatch(/^100$/m)
  expect((await ask(capture, { target, history: 150 })).screen).toMatch(/^100$/m)
  table.kill(target)
})

test('without a target it tells which terminals the session has', async () => {
  const [mine, other] = [await start('sleep 60'), await start('sleep 61', { sessionId: 'other' })]
  const { terminals } = await ask(capture, {})
  expect(terminals).toContainEqual({ target: mine, title: 'sleep 60', node: 'local', byUser: false })
  expect(JSON.stringify(terminals)).not.toContain(other)
  for (const id of [mine, other]) table.kill(id)
})

test('to the gate, one’s own terminals are harmless to see, and all typing is a command', async () => {
  const [mine, users] = [await start('sleep 60'), await start('sh', { byUser: true })]
  expect(accessTo(capture, { target: mine })).toMatchObject({ action: 'read' })
  expect(accessTo(capture, { target: users })).toMatchObject({ action: 'exec', toolKey: 'terminal.read' })
  expect(accessTo(keys, { target: mine, keys: ['C-c'] })).toMatchObject({ action: 'read' })
  // What the key would end there does not belong to the agent.
  expect(accessTo(keys, { target: '%1', keys: ['C-c'] })).toMatchObject({ action: 'exec', typed: true })
  expect(accessTo(keys, { target: users, keys: ['C-c'] })).toMatchObject({ action: 'exec', typed: true })
  expect(accessTo(keys, { target: users, text: 'rm -r x', enter: true })).toMatchObject({
    action: 'exec',
    command: 'rm -r x',
    typed: true,
    typedInto: 'shell',
    processId: users,
    toolKey: 'process.type',
  })
  expect(accessTo(keys, { target: '%1', text: 'ls' })).toMatchObject({ command: 'ls', typedInto: 'shell' })
  for (const id of [mine, users]) table.kill(id)
})

test('what cannot be is refused in words', async () => {
  await expect(ask(capture, { target: '%99' })).rejects.toThrow('no tmux here')
  await expect(ask(capture, { target: '%99', node: 'box' })).rejects.toThrow('Node box is not connected')
  expect(() => keys.parse({ target: 'x' })).toThrow('`text`, `keys` or `enter`')
  expect(() => keys.parse({ target: 'x', keys: ['Entr'] })).toThrow('Unknown key "Entr"')
  expect(() => capture.parse({ target: 'x', delay: 'soon' })).toThrow('`delay` is a duration')
})

test('a pane of tmux is seen and typed into like a terminal of the deck', async () => {
  const env = commandEnv(process.env, { HOME: root, TMUX_TMPDIR: root, SHELL: '/bin/sh' })
  const place = localShellNode({ id: 'local', env }, 'deck-test')
  const here = { table, machine: () => place }
  const [see, type] = [createTerminalCapture(here) as Tool, createTerminalKeys(here) as Tool]
  try {
    const target = await place.paneFor(root)?.dispatch('seq 100; cat')
    const found = () => ask(see, { target, history: 100 })
    await vi.waitFor(async () => expect((await found()).screen).toMatch(/^1$[\s\S]*^100$/m), { timeout: 30_000 })
    await ask(type, { target, text: 'typed;', keys: ['Space', 'x'], enter: true })
    await vi.waitFor(async () => expect((await found()).screen).toMatch(/typed; x\ntyped; x$/), { timeout: 30_000 })
    expect((await ask(see, {})).tmux).toContainEqual(expect.objectContaining({ pane: target, command: 'cat' }))
  } finally {
    execFileSync('tmux', ['kill-server'], { env })
    await place.close()
  }
})
