import type { ISearchResultChangeEvent } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITerminalOptions, Terminal } from '@xterm/xterm'
import type { PaneMessage, PaneRequest } from '../../src-preload/contract/processes'
import { scrollbackLines } from '../../src-preload/contract/terminal'
import type { Place } from '../chat/place'
import { readTheme } from './colours'
import { drawOnGpu } from './gpu'
import { createInput } from './input'
import type { PaneKey } from './keys'
import { createOutput } from './output'
import { pathLinks } from './path-links'
import { silenceReplies } from './replies'
import { createSearch } from './search'
import { createSize } from './size'

export interface PaneOptions {
  /** The element that the terminal fills; it must be visible. */
  element: HTMLElement
  /** The pane owns it and closes it. */
  port: MessagePort
  label: string
  fontSize: number
  running: boolean
  mac: boolean
  /** Opens a link in the browser, after a check by the main process. */
  openLink(url: string): void
  /** For each path, whether the file exists. */
  pathsExist(paths: string[]): Promise<boolean[]>
  /** Opens a file in the user's editor. */
  openPlace(place: Place): void
  /** Called when the pointer is on a link whose text may differ from its address; `null` when it leaves. */
  onLink(url: string | null): void
  copy(text: string): void
  readClipboard(): Promise<string>
  onKey(key: PaneKey): void
  onFocus(focused: boolean): void
  onMatches(result: ISearchResultChangeEvent): void
  /** Called with whether the view is at its top while the log has more. */
  onEarlier(available: boolean): void
  /** Called when the output so far is on the screen. */
  onShown?(): void
  onExit?(): void
  /** Called when the terminal host is gone. */
  onLost?(): void
}

export interface Pane {
  focus(): void
  setRunning(running: boolean): void
  setFontSize(size: number): void
  setLabel(label: string): void
  copySelection(): boolean
  selectAll(): void
  /** Types Ctrl-C, which reaches whatever runs in the foreground of a shell. */
  interrupt(): void
  paste(): Promise<void>
  find(query: string, direction: 'next' | 'previous'): void
  endSearch(): void
  /** Shows output older than the terminal holds, from the log. */
  loadEarlier(): void
  dispose(): void
}

/** One visible terminal: an xterm.js over one port to the terminal host. Created when shown, disposed when hidden. */
export function createPane(options: PaneOptions): Pane {
  const { element, port } = options
  let running = options.running
  let closed = false
  const isRunning = () => running
  const send = (request: PaneRequest) => {
    if (!closed) port.postMessage(request)
  }

  const terminal = new Terminal(looks(options))
  const search = createSearch(terminal, element, options.onMatches)
  const size = createSize({ terminal, element, isRunning, send })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  terminal.loadAddon(new WebLinksAddon((_, url) => options.openLink(url)))
  const paths = terminal.registerLinkProvider(
    pathLinks(terminal, { exist: options.pathsExist, open: options.openPlace }),
  )
  silenceReplies(terminal.parser)
  terminal.open(element)
  const gpu = drawOnGpu(terminal)
  const setLabel = (label: string) => terminal.textarea?.setAttribute('aria-label', label)
  setLabel(options.label)

  const { mac, copy, readClipboard, onKey } = options
  const input = createInput({ terminal, element, mac, isRunning, send, copy, readClipboard, onKey })
  const output = createOutput({
    terminal,
    send,
    onEarlier: options.onEarlier,
    onSnapshot() {
      size.afterSnapshot()
      if (!running) output.hideCursor()
      options.onShown?.()
    },
  })
  const setRunning = (now: boolean) => {
    if (running === now) return
    running = now
    terminal.options.disableStdin = !now
    if (!now) output.hideCursor()
  }

  port.addEventListener('close', () => {
    if (!closed) options.onLost?.()
  })
  port.onmessage = ({ data: message }: MessageEvent<PaneMessage>) => {
    if (closed) return
    switch (message.type) {
      case 'snapshot':
        return output.snapshot(message)
      case 'data':
        return output.data(message.data, message.offset)
      case 'history':
        return output.history(message)
      case 'size':
        return size.hostHas(message)
      case 'exit':
        setRunning(false)
        return options.onExit?.()
    }
  }
  const stopFocus = watchFocus(element, (focused) => {
    output.setFocused(focused)
    options.onFocus(focused)
  })

  return {
    focus: () => terminal.focus(),
    setRunning,
    setLabel,
    setFontSize(fontSize) {
      if (terminal.options.fontSize === fontSize) return
      terminal.options.fontSize = fontSize
      size.fitSoon()
    },
    copySelection: input.copySelection,
    selectAll: () => terminal.selectAll(),
    interrupt: () => input.type('\x03'),
    paste: input.paste,
    find: search.find,
    endSearch: search.end,
    loadEarlier: output.loadEarlier,
    dispose() {
      closed = true
      size.dispose()
      output.dispose()
      paths.dispose()
      search.dispose()
      input.dispose()
      stopFocus()
      port.close()
      gpu.dispose()
      terminal.dispose()
    },
  }
}

function looks({ element, fontSize, running, openLink, onLink }: PaneOptions): ITerminalOptions {
  return {
    allowProposedApi: true,
    scrollback: scrollbackLines,
    fontSize,
    fontFamily: getComputedStyle(element).getPropertyValue('--font-mono').trim() || 'monospace',
    lineHeight: 1.2,
    cursorBlink: false,
    cursorStyle: 'block',
    cursorInactiveStyle: 'outline',
    minimumContrastRatio: 4.5,
    drawBoldTextInBrightColors: false,
    theme: readTheme(element),
    disableStdin: !running,
    screenReaderMode: true,
    macOptionIsMeta: true,
    linkHandler: {
      activate: (_, url) => openLink(url),
      hover: (_, url) => onLink(url),
      leave: () => onLink(null),
    },
  }
}

/** Reports when the focus enters and leaves the pane, but not when it moves between its elements. */
function watchFocus(element: HTMLElement, onChange: (focused: boolean) => void): () => void {
  const onIn = () => onChange(true)
  const onOut = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) onChange(false)
  }
  element.addEventListener('focusin', onIn)
  element.addEventListener('focusout', onOut)
  return () => {
    element.removeEventListener('focusin', onIn)
    element.removeEventListener('focusout', onOut)
  }
}
