import { expect, test } from 'vitest'
import { ownToolOf } from './own-tools'
import { begun, gistOf, nameOf } from './tool-call'

const server = 'deckhand-a1b2c3'

test('a call of our own tools is known by all the forms that agents give their names', () => {
  for (const title of [
    'deckhand-a1b2c3__Bash',
    'deckhand-a1b2c3_Bash',
    'mcp__deckhand-a1b2c3__Bash',
    'mcp__deckhand_a1b2c3__Bash',
    'deckhand-a1b2c3: Bash',
    'mcp.deckhand-a1b2c3.Bash',
    'deckhand-a1b2c3/Bash',
  ])
    expect([title, ownToolOf({ title }, server)]).toEqual([title, 'Bash'])
})

test('words that only contain the name are none of ours', () => {
  for (const title of [
    'rm -rf / # deckhand-a1b2c3__Bash',
    'deckhand-a1b2c3__Bash; rm -rf /',
    'deckhand-000000__Bash',
    'deckhand__Bash',
    'deckhand-a1b2c3__',
    'sh -c deckhand-a1b2c3__Bash',
  ])
    expect([title, ownToolOf({ title }, server)]).toEqual([title, null])
  expect(ownToolOf({ title: 'deckhand-a1b2c3__Bash' }, null)).toBeNull()
})

test('agents that name the tool beside the protocol are understood as well', () => {
  const fields = begun({
    toolCallId: '1',
    title: '{"command":"ls"}',
    _meta: { toolName: 'mcp__deckhand-a1b2c3__Bash' },
  })
  expect(ownToolOf(fields, 'deckhand-a1b2c3')).toBe('Bash')
})

test('a call that Qwen Code passes on to a tool of a server is shown by what that will do, and is nobody else’s for it', () => {
  const passed = (name: string, given: unknown, title = 'tool_call') =>
    begun({
      toolCallId: '1',
      title,
      kind: 'other',
      rawInput: { name, arguments: given },
      _meta: { toolName: 'tool_call' },
    })
  const command = passed(`mcp__${server}__Bash`, { command: 'echo hi > made.txt' })
  expect([nameOf(command), gistOf(command, '/work')]).toEqual(['Bash', 'echo hi > made.txt'])
  // The name comes from the model, so it must not make the call one of ours.
  expect(ownToolOf(command, server)).toBeNull()
  const other = passed('mcp__tracker__search', { query: 'crash' })
  expect([nameOf(other), gistOf(other, '/work')]).toEqual(['mcp__tracker__search', '{"query":"crash"}'])
  const strange = begun({
    toolCallId: '1',
    title: 'Something',
    rawInput: { name: 1 },
    _meta: { toolName: 'tool_call' },
  })
  expect([nameOf(strange), gistOf(strange, '/work')]).toEqual(['tool_call', 'Something'])
})
