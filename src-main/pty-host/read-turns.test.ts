import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReadTurns, type TurnReader } from './read-turns'

/** Readers with some pieces each, and a clock that advances by the time a piece takes. */
function bench(pieceMs: number) {
  let now = 0
  const read: string[] = []
  const turns = createReadTurns(() => now)
  const reader = (name: string, pieces: number): TurnReader => {
    let left = pieces
    return {
      read() {
        now += pieceMs
        read.push(name)
        left--
        return left > 0
      },
    }
  }
  return { turns, reader, read }
}

test('a turn is short however many wait, and nobody is passed over', async () => {
  const { turns, reader, read } = bench(0.5)
  for (const name of ['a', 'b', 'c']) turns.join(reader(name, 2))
  expect(read).toEqual([])
  const afterTurns: string[] = []
  for (let i = 0; i < 4; i++) {
    await nextTurn()
    afterTurns.push(read.join(''))
  }
  expect(afterTurns).toEqual(['ab', 'abca', 'abcabc', 'abcabc'])
})

test('one that has the time for itself reads on', async () => {
  const { turns, reader, read } = bench(0.1)
  turns.join(reader('a', 5))
  await nextTurn()
  expect(read.join('')).toBe('aaaaa')
})

test('whoever leaves is not read from any more', async () => {
  const { turns, reader, read } = bench(2)
  const first = reader('a', 3)
  turns.join(first)
  turns.join(reader('b', 1))
  await nextTurn()
  turns.leave(first)
  await nextTurn()
  await nextTurn()
  expect(read.join('')).toBe('ab')
})
