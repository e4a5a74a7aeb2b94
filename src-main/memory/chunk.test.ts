import { expect, test } from 'vitest'
import { chunkMarkdown } from './chunk'

test('a passage is a paragraph or an item, with its lines and the headings above it', () => {
  const note = [
    '# Memory', // 1
    '', // 2
    '## People', // 3
    '- Marta bakes', // 4
    '  on Lindenstrasse', // 5
    '- Jonas leads', // 6
    '', // 7
    'A paragraph', // 8
    'of two lines.', // 9
    '### Dentist on Friday', // 10
    '## Code', // 11
    '```sh', // 12
    'echo one', // 13
    '', // 14
    '- not an item', // 15
    '```', // 16
  ].join('\n')
  expect(chunkMarkdown(note)).toEqual([
    { startLine: 4, endLine: 5, context: 'People', text: '- Marta bakes\n  on Lindenstrasse' },
    { startLine: 6, endLine: 6, context: 'People', text: '- Jonas leads' },
    { startLine: 8, endLine: 9, context: 'People', text: 'A paragraph\nof two lines.' },
    { startLine: 10, endLine: 10, context: 'People', text: 'Dentist on Friday' },
    { startLine: 12, endLine: 16, context: 'Code', text: '```sh\necho one\n\n- not an item\n```' },
  ])
})

test('what is long is cut between lines, and a long line between sentences', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Line ${n} has a few words in it, as lines of notes have.`)
  const chunks = chunkMarkdown(lines.join('\r\n'))
  expect(chunks.length).toBeGreaterThan(2)
  for (const { startLine, endLine, text } of chunks) {
    expect(text.length).toBeLessThanOrEqual(800)
    expect(text).toBe(lines.slice(startLine - 1, endLine).join('\n'))
  }
  expect(chunks.map(({ startLine }) => startLine).slice(1)).toEqual(
    chunks.map(({ endLine }) => endLine + 1).slice(0, -1),
  )

  const sentence = 'A sentence that goes on for a while and then stops.'
  const long = chunkMarkdown(`first\n${Array(40).fill(sentence).join(' ')}`)
  expect(long.length).toBeGreaterThan(2)
  expect(long.at(-1)).toMatchObject({ startLine: 2, endLine: 2, text: expect.stringMatching(/stops\.$/) })
  expect(chunkMarkdown('x'.repeat(2000)).map(({ text }) => text.length)).toEqual([800, 800, 400])
})

test('nothing comes of nothing', () => {
  expect(chunkMarkdown('')).toEqual([])
  expect(chunkMarkdown('\n---\n  \n***\n')).toEqual([])
})
