import { Terminal as Headless } from '@xterm/headless'
import type { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { scrollbackLines } from '../../src-preload/contract/terminal'
import { createHistory } from './history'

const settle = (terminal: Headless) => new Promise<void>((resolve) => terminal.write('', resolve))
const text = (terminal: Headless) => {
  const { normal } = terminal.buffer
  const lines = Array.from({ length: normal.length }, (_, y) => normal.getLine(y)?.translateToString(true) ?? '')
  return lines.join('\n').trimEnd()
}

/** A headless terminal has the same buffer and events as one on screen. */
function setUp() {
  const terminal = new Headless({ allowProposedApi: true, rows: 5, cols: 40, scrollback: scrollbackLines })
  const requests: { before: number; bytes: number }[] = []
  const earlier: boolean[] = []
  const history = createHistory({
    terminal: terminal as unknown as Terminal,
    request: (before, bytes) => requests.push({ before, bytes }),
    write: (data) => terminal.write(data),
    writeOld: (data, done) => terminal.write(data, done),
    afterDraw: (run) => run(),
    onEarlier: (available) => earlier.push(available),
  })
  return { terminal, history, requests, earlier }
}

test('plays the log anew up to where the pane was, then what came meanwhile', async () => {
  const { terminal, history, requests } = setUp()
  history.data('three\r\n', 18)
  await settle(terminal)
  history.load()
  history.data('four\r\n', 24)
  history.replay({ type: 'history', data: 'one\r\ntwo\r\nthree\r\n', from: 0, to: 18 })
  history.data('five\r\n', 30)
  await settle(terminal)
  expect(requests).toEqual([{ before: 18, bytes: 8 << 20 }])
  expect(text(terminal)).toBe('one\ntwo\nthree\nfour\nfive')
})

test('a snapshot in between wins over the older output that was asked for', async () => {
  const { terminal, history } = setUp()
  history.data('a\r\n', 3)
  history.load()
  history.reset(100)
  history.settle()
  history.replay({ type: 'history', data: 'old\r\n', from: 0, to: 3 })
  history.data('b\r\n', 103)
  await settle(terminal)
  expect(text(terminal)).toBe('a\nb')
})

test('offers older output only at the top of a terminal that is full', async () => {
  const { terminal, history, earlier } = setUp()
  history.data('x\r\n'.repeat(scrollbackLines + 50), 30_150)
  await settle(terminal)
  expect(earlier).toEqual([])
  terminal.scrollToTop()
  history.look()
  expect(earlier).toEqual([true])
  terminal.scrollToBottom()
  history.look()
  expect(earlier).toEqual([true, false])
})

test('offers nothing while a snapshot is being written', async () => {
  const { terminal, history, earlier } = setUp()
  history.reset(50_000_000)
  history.look()
  expect(earlier).toEqual([])
  await settle(terminal)
  history.settle()
  expect(earlier).toEqual([true])
})
