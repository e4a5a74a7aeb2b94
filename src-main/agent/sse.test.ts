import { describe, expect, it } from 'vitest'
import { sseParser, TooLarge } from './sse'

const source = [
  ': a comment\r\n',
  'retry: 3000\r\n',
  'id: 7\r\n',
  'event: note\r\n',
  'data: first\r\n',
  'data:second\r\n',
  'data\r\n',
  '\r\n',
  'data: {"text":"Grüße 🌊"}\n',
  '\n',
  'event: nothing\n\n',
  'data: old mac\r\r',
  'data: [DONE]',
].join('')

const expected = [
  { event: 'note', data: 'first\nsecond\n' },
  { event: 'message', data: '{"text":"Grüße 🌊"}' },
  { event: 'message', data: 'old mac' },
  { event: 'message', data: '[DONE]' },
]

const parse = (pieces: Uint8Array[]) => {
  const parser = sseParser()
  const decoder = new TextDecoder()
  const events = pieces.flatMap((piece) => parser.push(decoder.decode(piece, { stream: true })))
  return [...events, ...parser.push(decoder.decode()), ...parser.end()]
}

describe('sseParser', () => {
  it('reads fields, comments, several data lines and all three line ends', () => {
    expect(parse([Buffer.from(source)])).toEqual(expected)
  })

  it('gives the same for any size of piece, also inside a character or a line end', () => {
    const bytes = Buffer.from(source)
    for (let size = 1; size < 20; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, i * size + size),
      )
      expect(parse(pieces)).toEqual(expected)
    }
  })

  it('refuses a line or an event without end', () => {
    const parser = sseParser(1000)
    expect(() => {
      for (let i = 0; i < 200; i++) parser.push('data: long')
    }).toThrow(TooLarge)
    const other = sseParser(1000)
    expect(() => {
      for (let i = 0; i < 200; i++) other.push('data: many lines\n')
    }).toThrow(TooLarge)
  })

  it('takes a long line in single characters without slowing down with its length', () => {
    const parser = sseParser()
    const text = `data: ${'x'.repeat(1_000_000)}\n\n`
    const events = [...text].flatMap((character) => parser.push(character))
    expect(events).toHaveLength(1)
    expect(events[0]?.data).toHaveLength(1_000_000)
  })
})
