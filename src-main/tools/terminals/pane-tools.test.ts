import { expect, test } from 'vitest'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { createSendKeys } from '../../toolsets/buddy/send-keys'
import type { Tool, ToolContext } from '../tool'
import { createCapturePane } from './capture-pane'

const at = (kind: ShellNode['kind']) => {
  const place = () => ({ kind, id: 'box', hasPane: true }) as unknown as ShellNode
  const judge = (tool: Tool) => (input: object) => tool.access(tool.parse(input), { workspace: '/w' } as ToolContext)
  return { look: judge(createCapturePane(place) as Tool), type: judge(createSendKeys(place) as Tool) }
}
const quiet = { action: 'read', node: 'box', workspace: '/w', cwd: '/w' }

test('the agent may look at its own pane and end what runs there', () => {
  const { look, type } = at('ssh-tmux')
  expect(look({})).toEqual(quiet)
  expect(type({ keys: ['C-c'] })).toEqual(quiet)
})

test('panes of the user’s ask', () => {
  for (const [{ look, type }, target] of [
    [at('ssh-tmux'), { target: '%7' }],
    [at('local'), {}],
  ] as const) {
    expect(look(target)).toMatchObject({ action: 'exec', toolKey: 'terminal.read' })
    expect(type({ keys: ['C-c'], ...target })).toMatchObject({ action: 'exec', typed: true, command: 'C-c' })
  }
})

test('what is typed is a command, wherever it goes', () => {
  const { type } = at('container-tmux')
  expect(type({ literal_text: 'rm -r x', keys: ['Tab'], enter: true })).toEqual({
    ...quiet,
    action: 'exec',
    command: 'rm -r x Tab',
    line: 'rm -r x\t\r',
    typed: true,
    typedInto: 'shell',
    toolKey: 'process.type',
  })
  expect(type({ enter: true })).toMatchObject({ command: '', typed: true })
  expect(type({ keys: ['C-c', 'Up'] })).toMatchObject({ command: 'C-c Up', typed: true })
})
