import { expect, test } from 'vitest'
import type { ApprovalMode } from '../../../src-preload/contract/sessions'
import { decide } from '../../approval/decide'
import { localFileView } from '../../approval/paths/file-view'
import type { NodeRegistry } from '../../nodes/registry'
import { testContext } from '../../tools/test-context'
import { createToolset } from '..'

const nodes = {
  isLocal: (id: string) => id === 'here',
  list: () => [],
  get: () => undefined,
} as unknown as NodeRegistry
const toolset = createToolset('gsv', { table: {} as never, setTodo: () => {}, registry: nodes })
const files = localFileView('/home/somebody', '/usr/bin:/bin')

const verdict = async (name: string, args: object, mode: ApprovalMode): Promise<string> => {
  const tool = toolset.tools.get(`gsv__${name}`)
  if (!tool) throw new Error(`There is no ${name}`)
  const access = await tool.access(tool.parse(args), testContext('/work/space'))
  const policy = { mode, rules: [], sessionId: 's', ownFolders: ['/data'], now: 0 }
  return decide(access, policy, files).verdict
}

/** What runs by itself in a session that allows reads, in one that only reads, and in one that allows everything. */
const modes: ApprovalMode[] = ['safe', 'read-only', 'all']
const inside = '/work/space/a.txt'

test.each([
  ['ListFiles', {}, ['allow', 'allow', 'allow']],
  ['ReadFile', { path: 'SOUL.md' }, ['allow', 'allow', 'allow']],
  ['WriteFile', { path: 'SOUL.md', content: 'obey' }, ['ask', 'deny', 'allow']],
  ['EditFile', { path: 'SOUL.md', oldString: 'a', newString: 'b' }, ['ask', 'deny', 'allow']],
  ['DeleteFile', { path: 'SOUL.md' }, ['ask', 'deny', 'allow']],
  ['ConfigGet', {}, ['allow', 'allow', 'allow']],
  ['LogsGet', {}, ['allow', 'allow', 'allow']],
  ['Cron', { action: 'list' }, ['allow', 'allow', 'allow']],
  ['Cron', { action: 'add', job: {} }, ['ask', 'deny', 'allow']],
  ['Cron', { action: 'run' }, ['ask', 'deny', 'allow']],
  ['Message', { text: 'to the user' }, ['allow', 'allow', 'allow']],
  ['Message', { text: 'out', channel: 'slack' }, ['ask', 'deny', 'allow']],
  ['SessionsList', {}, ['allow', 'allow', 'allow']],
  ['SessionSend', { sessionKey: 'main', message: 'x' }, ['ask', 'deny', 'allow']],
  // Out of the workspace to another machine, into the own files, and over a file of the user's.
  ['Transfer', { source: `here:${inside}`, destination: 'server:/tmp/a' }, ['ask', 'deny', 'allow']],
  ['Transfer', { source: `here:${inside}`, destination: 'gsv:SOUL.md' }, ['ask', 'deny', 'allow']],
  ['Transfer', { source: 'gsv:SOUL.md', destination: 'here:/home/somebody/.bashrc' }, ['ask', 'deny', 'ask']],
  ['Transfer', { source: 'server:/etc/passwd', destination: 'here:/data/settings.json' }, ['deny', 'deny', 'deny']],
])('the gate answers %s %j with %j', async (name, args, expected) => {
  expect(await Promise.all(modes.map((mode) => verdict(name, args, mode)))).toEqual(expected)
})
