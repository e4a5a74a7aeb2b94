import { expect, test } from 'vitest'
import { createAckCounter } from './ack'

const collect = (step: number) => {
  const sent: number[] = []
  return { sent, ack: createAckCounter((chars) => sent.push(chars), step) }
}

test('reports nothing until a step is full, then everything that was parsed', () => {
  const { sent, ack } = collect(100)
  for (const chars of [40, 40, 19]) ack.add(chars)
  expect(sent).toEqual([])
  ack.add(31)
  expect(sent).toEqual([130])
})

test('never reports a character twice, and keeps the rest for the next step', () => {
  const { sent, ack } = collect(100)
  for (let i = 0; i < 1000; i++) ack.add(7)
  expect(sent.every((chars) => chars >= 100 && chars < 107)).toBe(true)
  const total = sent.reduce((sum, chars) => sum + chars, 0)
  expect(7000 - total).toBeGreaterThanOrEqual(0)
  expect(7000 - total).toBeLessThan(100)
})

test('a piece larger than a step is one report', () => {
  const { sent, ack } = collect(100)
  ack.add(950)
  expect(sent).toEqual([950])
})

test('a snapshot forgets what was parsed but not yet reported', () => {
  const { sent, ack } = collect(100)
  ack.add(90)
  ack.reset()
  ack.add(90)
  expect(sent).toEqual([])
})
