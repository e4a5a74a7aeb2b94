import { expect, test } from 'vitest'
import { matchScore } from './match-score'

test('an entry is found by its name before those that only mention it, and not by scattered letters', () => {
  const agents = ['soul identity memory files notes']
  expect(matchScore('Memory', 'memory', ['notes recall remember search'])).toBe(1)
  expect(matchScore('Agents', 'Memory', agents)).toBe(0.5)
  expect(matchScore('Search all sessions', 'sessions ')).toBe(0.9)
  expect(matchScore('Agents', 'agents files', agents)).toBe(0.5)
  expect(matchScore('Memory', 'mmry')).toBe(0)
})
