import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PaneMessage } from '../../src-preload/contract/processes'
import type { SnapshotKind } from './mirror'
import { createPaneReader, type PanePort, type PaneSource } from './pane'
import { createSanitiser } from './sanitise'
import { createUtf8Stream } from './utf8-stream'

const cleaning = { rows: () => 24, live: true }

/** A pane on a program that writes faster than anybody can read: another megabyte with every look. */
function openOnFlood(givesWay: () => boolean) {
  const looks: SnapshotKind[] = []
  let written = 0
  const messages: PaneMessage[] = []
  let close = () => {}
  const port: PanePort = {
    post: (message) => messages.push(message),
    onRequest() {},
    onClose(listener) {
      close = listener
    },
    close() {},
  }
  const source: PaneSource = {
    offset() {
      written += 1024 * 1024
      return written
    },
    written: () => Promise.resolve(),
    mirror: {
      async snapshot(_, kind) {
        looks.push(kind)
        pane.output(Buffer.alloc(600 * 1024), written)
        return { data: '', cols: 80, rows: 24, decoder: createUtf8Stream(), sanitiser: createSanitiser(cleaning) }
      },
      screen: () => Promise.reject(new Error('Nobody asks for it')),
      dispose() {},
    },
    size: () => ({ cols: 80, rows: 24 }),
    cleaning: () => cleaning,
    exit: () => null,
    givesWay,
    readLog: () => Promise.reject(new Error('Nobody asks for it')),
    input() {},
    resize() {},
  }
  const pane = createPaneReader(port, source, () => {})
  return { looks, close: () => close() }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('looks at a flood again and again', async () => {
  const { looks, close } = openOnFlood(() => false)
  await vi.advanceTimersByTimeAsync(350)
  close()
  expect(looks).toEqual(['whole', 'glance', 'glance', 'glance'])
})

test('waits with its look while the user types elsewhere, but not for ever', async () => {
  let typing = true
  const { looks, close } = openOnFlood(() => typing)
  await vi.advanceTimersByTimeAsync(190)
  expect(looks).toEqual(['whole'])
  await vi.advanceTimersByTimeAsync(20)
  expect(looks).toEqual(['whole', 'glance'])
  await vi.advanceTimersByTimeAsync(150)
  expect(looks.length).toBe(2)
  typing = false
  await vi.advanceTimersByTimeAsync(10)
  expect(looks.length).toBe(3)
  close()
})
