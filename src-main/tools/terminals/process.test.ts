import { expect, it } from 'vitest'
import type { ProcessTable } from '../../nodes/process-table'
import type { ToolContext } from '../tool'
import { createProcessTool } from './process'

const row = { id: 'p', cwd: '/w/app', command: 'node repl.js' }
let before = ''
const table = { get: () => row, typedLine: () => before } as unknown as ProcessTable
const tool = createProcessTool({ table, node: 'local', clock: Date.now })
const access = (args: object) =>
  tool.access(tool.parse({ sessionId: 'p', ...args }), { workspace: '/w' } as ToolContext)

const quiet = { action: 'read', node: 'local', cwd: '/w/app', workspace: '/w' }
const typed = (command: string, line = command) => ({
  ...quiet,
  action: 'exec',
  command,
  line,
  typed: true,
  typedInto: 'program',
  processId: 'p',
  toolKey: 'process.type',
})

it.each(['list', 'poll', 'log', 'screen', 'kill', 'signal'])('%s touches nothing new', (action) => {
  expect(access({ action })).toEqual(quiet)
})

it('what is typed is a command to the gate', () => {
  expect(access({ action: 'write', data: 'rm -r x' })).toEqual(typed('rm -r x'))
  expect(access({ action: 'submit', data: 'rm -r x' })).toEqual(typed('rm -r x'))
  expect(access({ action: 'submit' })).toEqual(typed(''))
  expect(access({ action: 'keys', keys: ['Up', 'Enter'] })).toEqual(typed('Up Enter', '\x1b[A\r'))
})

it('what was typed before belongs to the line', () => {
  before = 'rm -rf '
  expect(access({ action: 'write', data: '~' })).toEqual(typed('~', 'rm -rf ~'))
  expect(access({ action: 'keys', keys: ['~', 'Enter'] })).toEqual(typed('~ Enter', 'rm -rf ~\r'))
  before = ''
})

it.each([
  ['bash', 'shell'],
  ['cd /x && exec zsh -i', 'shell'],
  ['ssh somewhere', 'shell'],
  ['docker exec -it x sh', 'shell'],
  ['python3 -i', 'program'],
  ['npm init', 'program'],
  ['./dashboard', 'program'],
])('knows what reads it: %s is a %s', (command, typedInto) => {
  const other = createProcessTool({
    table: { get: () => ({ ...row, command }), typedLine: () => '' } as unknown as ProcessTable,
    node: 'local',
    clock: Date.now,
  })
  const input = other.parse({ sessionId: 'p', action: 'submit', data: 'ls' })
  expect(other.access(input, { workspace: '/w' } as ToolContext)).toMatchObject({ typedInto })
})

it('keys that can only end something are not', () => {
  expect(access({ action: 'keys', keys: ['C-c', 'C-d'] })).toEqual(quiet)
  expect(access({ action: 'keys', keys: ['C-c', 'Enter'] })).toEqual(typed('C-c Enter', '\x03\r'))
})

it.each([
  [{ action: 'keys', sessionId: 'p' }, '`keys` is required'],
  [{ action: 'keys', sessionId: 'p', keys: ['Entr'] }, 'Unknown key "Entr"'],
  [{ action: 'signal', sessionId: 'p', signal: 'SIGNOPE' }, 'no signal "SIGNOPE"'],
  [{ action: 'poll' }, '`sessionId` is required for poll'],
])('refuses %j', (args, message) => {
  expect(() => tool.parse(args)).toThrow(message)
})
