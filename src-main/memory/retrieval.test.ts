import { expect, test } from 'vitest'
import { notes, paraphrasedQuestions, plainQuestions, unanswerable } from './retrieval-set'
import { createMemoryBench } from './test-bench'
import { wordsOf } from './words'

test('notes are found again by what they mean, and what was never noted is not', async () => {
  const bench = createMemoryBench()
  for (const [path, text] of Object.entries(notes)) await bench.files.write('main', path, text)
  await bench.settled()
  expect((await bench.memory.state('main')).passages).toBeGreaterThanOrEqual(60)
  const search = (query: string, limit: number) => bench.memory.search('main', { query, limit })

  const missed: string[] = []
  for (const [question, note] of [...plainQuestions, ...paraphrasedQuestions]) {
    const found = await search(question, 3)
    if (!found.some(({ snippet }) => snippet.includes(note))) missed.push(question)
  }
  const invented: string[] = []
  for (const question of unanswerable) if ((await search(question, 3)).length > 0) invented.push(question)
  await bench.close()

  const asked = plainQuestions.length + paraphrasedQuestions.length
  expect(1 - missed.length / asked, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
  expect(invented.length, invented.join('\n')).toBeLessThanOrEqual(1)
}, 240_000)

test('the set is what it says it is', () => {
  expect(plainQuestions.length + paraphrasedQuestions.length).toBeGreaterThanOrEqual(40)
  expect(paraphrasedQuestions.length).toBeGreaterThanOrEqual(20)
  expect(unanswerable).toHaveLength(10)
  const lines = Object.values(notes).flatMap((text) => text.split('\n'))
  const shared = paraphrasedQuestions.flatMap(([question, note]) => {
    const holding = lines.filter((line) => line.includes(note))
    expect(holding, note).toHaveLength(1)
    const words = new Set(holding.flatMap(wordsOf))
    return wordsOf(question).filter((word) => words.has(word))
  })
  expect(shared).toEqual([])
})
