import { expect, it } from 'vitest'
import { splitText } from './split'

it('leaves a short text as it is', () => {
  expect(splitText(' Hello. ', 20)).toEqual(['Hello.'])
  expect(splitText('', 20)).toEqual([])
})

it('cuts between paragraphs, else between lines, sentences or words', () => {
  expect(splitText(`${'a'.repeat(30)}\n\n${'b'.repeat(30)}`, 50)).toEqual(['a'.repeat(30), 'b'.repeat(30)])
  expect(splitText(`${'a'.repeat(30)}\n${'b'.repeat(30)}`, 50)).toEqual(['a'.repeat(30), 'b'.repeat(30)])
  expect(splitText(`${'One two. '.repeat(8)}`, 40)).toEqual([
    'One two. One two. One two. One two.',
    'One two. One two. One two. One two.',
  ])
})

it('keeps every piece within the limit and loses nothing, whatever the text', () => {
  const texts = ['x'.repeat(5000), 'word '.repeat(2000), `${'line of text\n'.repeat(400)}`, '🚢'.repeat(1500)]
  for (const text of texts) {
    const pieces = splitText(text, 200)
    expect(pieces.every((piece) => piece.length <= 200 && !/^[\uDC00-\uDFFF]/.test(piece))).toBe(true)
    expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  }
})

it('closes a block of code at a cut and opens it again', () => {
  const code = Array.from({ length: 40 }, (_, n) => `  line(${n})`).join('\n')
  const pieces = splitText(`Look:\n\`\`\`ts\n${code}\n\`\`\`\nDone.`, 200)
  expect(pieces.length).toBeGreaterThan(2)
  for (const piece of pieces) {
    expect(piece.match(/```/g)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0)
    expect(piece.length).toBeLessThanOrEqual(200)
  }
  expect(pieces[1]).toMatch(/^```ts\n {2}line/)
})
