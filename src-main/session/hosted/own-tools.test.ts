import { expect, test } from 'vitest'
import { ownToolOf } from './own-tools'
import { begun } from './tool-call'

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
