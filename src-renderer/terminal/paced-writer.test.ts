import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { createPacedWriter, PIECE } from './paced-writer'

/** A terminal that takes a millisecond per piece, and frames on demand. */
function setUp() {
  let time = 0
  let frames: (() => void)[] = []
  const pieces: string[] = []
  const parses: (() => void)[] = []
  const writer = createPacedWriter({
    write(text, parsed) {
      parses.push(() => {
        if (text !== '') {
          pieces.push(text)
          time++
        }
        parsed()
      })
    },
    nextFrame: (run) => frames.push(run),
    now: () => time,
  })
  /** Parses everything that the terminal was given, and what it gets meanwhile. */
  const parse = () => {
    for (let next = parses.shift(); next; next = parses.shift()) next()
  }
  const drawFrame = () => {
    const due = frames
    frames = []
    time += 100
    for (const run of due) run()
    parse()
  }
  return { writer, pieces, parse, drawFrame }
}

test('a burst is spread over frames, more of it in the pane with the keyboard', () => {
  const { writer, pieces, parse, drawFrame } = setUp()
  writer.write('x'.repeat(40 * PIECE))
  parse()
  expect(pieces.length).toBe(4)
  drawFrame()
  expect(pieces.length).toBe(8)
  writer.setFocused(true)
  drawFrame()
  expect(pieces.length).toBe(16)
})

test('what is not drawn before its end takes most of a frame', () => {
  const { writer, pieces, parse, drawFrame } = setUp()
  writer.write('x'.repeat(20 * PIECE), undefined, true)
  writer.write('y'.repeat(20 * PIECE))
  parse()
  expect(pieces.length).toBe(12)
  drawFrame()
  expect(pieces.length).toBe(20)
  drawFrame()
  expect(pieces.length).toBe(24)
})

test('what comes after a silence waits for no frame', () => {
  const { writer, pieces, parse } = setUp()
  for (const key of ['a', 'b', 'c']) {
    writer.write(key)
    parse()
  }
  expect(pieces).toEqual(['a', 'b', 'c'])
})

test('tells when each text has been parsed, in order', () => {
  const { writer, parse, drawFrame } = setUp()
  const done: string[] = []
  writer.write('x'.repeat(6 * PIECE), () => done.push('long'))
  writer.write('', () => done.push('empty'))
  writer.write('y', () => done.push('short'))
  parse()
  expect(done).toEqual([])
  drawFrame()
  expect(done).toEqual(['long', 'empty', 'short'])
})

test('what was dropped is neither written nor told of, and what follows is written', () => {
  const { writer, pieces, parse, drawFrame } = setUp()
  const done: string[] = []
  writer.write('x'.repeat(20 * PIECE), () => done.push('old'))
  parse()
  writer.clear()
  writer.write('new', () => done.push('new'))
  parse()
  drawFrame()
  expect([pieces.at(-1), pieces.length]).toEqual(['new', 5])
  expect(done).toEqual(['new'])
})

test('may be emptied by whoever hears that something was parsed', () => {
  const { writer, pieces, parse, drawFrame } = setUp()
  writer.write('a', () => {
    writer.clear()
    writer.write('c')
  })
  writer.write('b')
  parse()
  drawFrame()
  expect(pieces).toEqual(['a', 'c'])
})

test('a real terminal shows every character, none of them cut in two', async () => {
  const terminal = new Terminal({ cols: 10, rows: 2, scrollback: 100_000, allowProposedApi: true })
  const text = `a${'😀'.repeat(2 * PIECE)}`
  await new Promise<void>((resolve) => {
    const writer = createPacedWriter({
      write: (piece, parsed) => terminal.write(piece, parsed),
      nextFrame: (run) => setTimeout(run),
    })
    writer.write(text, resolve)
  })
  const lines = Array.from({ length: terminal.buffer.active.length }, (_, y) =>
    terminal.buffer.active.getLine(y)?.translateToString(true),
  )
  expect(lines.join('').replaceAll(' ', '') === text).toBe(true)
})
