import { expect, it } from 'vitest'
import { createScreenHistory } from './screen-history'

it('knows the modes at any offset, however the output was cut', () => {
  const text = 'abc\x1b[?1049h\x1b[?25lxyz\x1b[?2004;1000hmore\x1b[?1049lend'
  for (const size of [1, 3, 7, text.length]) {
    const history = createScreenHistory({ cols: 80, rows: 24 })
    for (let at = 0; at < text.length; at += size) history.note(Buffer.from(text.slice(at, at + size)), at)
    expect(history.modesAt(3)).toBe('')
    expect(history.modesAt(text.indexOf('xyz'))).toBe('\x1b[?1049h\x1b[?25l')
    expect(history.modesAt(text.length)).toBe('\x1b[?25l\x1b[?2004h\x1b[?1000h')
  }
})

it('keeps the outcome of modes that change for hours', () => {
  const history = createScreenHistory({ cols: 80, rows: 24 })
  history.note(Buffer.from('\x1b[?1049h'), 0)
  for (let i = 1; i <= 5000; i++) history.note(Buffer.from('\x1b[?25l\x1b[?25h'), i * 100)
  history.note(Buffer.from('\x1b[?25l'), 600_000)
  expect(history.modesAt(700_000)).toBe('\x1b[?1049h\x1b[?25l')
})

it('finds questions, each once', () => {
  const history = createScreenHistory({ cols: 80, rows: 24 })
  expect(history.note(Buffer.from('a\x1b[6nb\x1b[5n\x1b[c\x1b[0c\x1b[>c\x1b[31m'), 0)).toEqual([
    'cursor',
    'status',
    'attributes',
    'attributes',
  ])
  expect(history.note(Buffer.from('\x1b['), 100)).toEqual([])
  expect(history.note(Buffer.from('6n'), 102)).toEqual(['cursor'])
  expect(history.note(Buffer.from('6n'), 104)).toEqual([])
})

it('knows how large the screen was', () => {
  const history = createScreenHistory({ cols: 80, rows: 24 })
  history.resized(100, 120, 30)
  expect([history.sizeAt(99), history.sizeAt(100)]).toEqual([
    { cols: 80, rows: 24 },
    { cols: 120, rows: 30 },
  ])
  expect(history.resizeAfter(50)).toEqual({ offset: 100, size: { cols: 120, rows: 30 } })
  expect(history.resizeAfter(100)).toBeNull()
})
