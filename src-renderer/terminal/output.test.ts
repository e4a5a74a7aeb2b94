import { Terminal as Headless } from '@xterm/headless'
import type { Terminal } from '@xterm/xterm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PaneRequest } from '../../src-preload/contract/processes'
import { createOutput } from './output'

// A headless terminal only lacks the screen; frames come as fast as possible.
beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})
afterEach(() => vi.unstubAllGlobals())

function open() {
  const terminal = new Headless({ cols: 20, rows: 4, scrollback: 5000, allowProposedApi: true })
  const sent: PaneRequest[] = []
  let snapshots = 0
  const output = createOutput({
    terminal: terminal as unknown as Terminal,
    send: (request) => sent.push(request),
    onEarlier() {},
    onSnapshot() {
      snapshots++
    },
  })
  const screen = () =>
    Array.from({ length: 4 }, (_, y) =>
      terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true),
    )
  return { terminal, output, sent, screen, snapshots: () => snapshots }
}

const snapshot = (data: string, size = { cols: 20, rows: 4 }) =>
  ({ type: 'snapshot', data, offset: 100, ...size, skipped: 0 }) as const
const lines = 'a line of output\r\n'.repeat(2400)

test('acknowledges what has been parsed', async () => {
  const { output, sent } = open()
  output.data(lines, lines.length)
  expect(sent).toEqual([])
  await vi.waitFor(() => expect(sent).toEqual([{ type: 'ack', chars: lines.length }]), 10_000)
})

test('a snapshot takes the place of what came before, which is neither shown nor acknowledged', async () => {
  const { output, sent, screen, snapshots, terminal } = open()
  output.data(lines, lines.length)
  output.snapshot(snapshot('as it is now', { cols: 30, rows: 4 }))
  expect(snapshots()).toBe(0)
  await vi.waitFor(() => expect(snapshots()).toBe(1), 10_000)
  expect([terminal.cols, screen()]).toEqual([30, ['as it is now', '', '', '']])
  output.data('\r\nnext', 106)
  await vi.waitFor(() => expect(screen()).toEqual(['as it is now', 'next', '', '']), 10_000)
  expect(sent).toEqual([])
})

test('a pane that is closed says nothing more', async () => {
  const { output, sent, terminal } = open()
  output.data(lines, lines.length)
  output.dispose()
  await new Promise<void>((resolve) => terminal.write('', resolve))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toEqual([])
})
