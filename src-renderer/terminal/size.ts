import { FitAddon } from '@xterm/addon-fit'
import type { IBufferRange, Terminal } from '@xterm/xterm'
import type { PaneRequest } from '../../src-preload/contract/processes'

const RESIZE_DELAY = 60

interface SizeOptions {
  terminal: Terminal
  element: HTMLElement
  /** A program that has ended is not told of a new size. */
  isRunning(): boolean
  send(request: PaneRequest): void
}

interface Size {
  cols: number
  rows: number
}

/** Keeps the terminal as large as its pane, and tells the host when its size changes. */
export function createSize({ terminal, element, isRunning, send }: SizeOptions) {
  const fitAddon = new FitAddon()
  terminal.loadAddon(fitAddon)
  let closed = false
  let hostSize: Size = { cols: 0, rows: 0 }
  /** The size that fits into the pane; null while unknown. */
  let fitted: Size | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const refit = () => {
    if (closed || element.clientWidth < 20 || element.clientHeight < 20) return
    const before = { cols: terminal.cols, selected: terminal.getSelectionPosition() }
    fitAddon.fit()
    const { cols, rows } = terminal
    // If only the number of rows changes, no line moves, but xterm.js drops the selection and thereby the current
    // match.
    if (before.selected && cols === before.cols) select(terminal, before.selected)
    fitted = { cols, rows }
    if (!isRunning() || (cols === hostSize.cols && rows === hostSize.rows)) return
    hostSize = { cols, rows }
    send({ type: 'resize', cols, rows })
  }
  const fitSoon = () => {
    fitted = null
    clearTimeout(timer)
    timer = setTimeout(refit, RESIZE_DELAY)
  }
  const observer = new ResizeObserver(fitSoon)
  observer.observe(element)

  return {
    fitSoon,
    /** Call when the host has this size. */
    hostHas(size: Size) {
      hostSize = { cols: size.cols, rows: size.rows }
    },
    /** Call when a snapshot has given the terminal the size that the host had at that time. */
    afterSnapshot() {
      hostSize = { cols: terminal.cols, rows: terminal.rows }
      // Measuring the pane costs a layout of the page, which a flood would cause with every snapshot.
      if (terminal.cols !== fitted?.cols || terminal.rows !== fitted.rows) refit()
    },
    dispose() {
      closed = true
      clearTimeout(timer)
      observer.disconnect()
    },
  }
}

const select = (terminal: Terminal, { start, end }: IBufferRange) =>
  terminal.select(start.x, start.y, (end.y - start.y) * terminal.cols + end.x - start.x)
