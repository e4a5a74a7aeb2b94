import { FitAddon } from '@xterm/addon-fit'
import { type ISearchResultChangeEvent, SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type IBufferRange, Terminal } from '@xterm/xterm'
import type { PaneMessage, PaneRequest } from '../../src-preload/contract/processes'
import { scrollbackLines } from '../../src-preload/contract/terminal'
import type { Place } from '../chat/place'
import { readMatchColours, readTheme, watchTheme } from './colours'
import { drawOnGpu } from './gpu'
import { type PaneKey, paneKey } from './keys'
import { createOutput } from './output'
import { cleanPaste } from './paste'
import { pathLinks } from './path-links'
import { isFocusReport, silenceReplies } from './replies'

const RESIZE_DELAY = 60

export interface PaneOptions {
  /** The element that the terminal fills; it must be on screen. */
  element: HTMLElement
  /** The pane owns it and closes it. */
  port: MessagePort
  label: string
  fontSize: number
  running: boolean
  mac: boolean
  /** Opens a link outside, after the main process has looked at it. */
  openLink(url: string): void
  /** For each path, whether there is such a file. */
  pathsExist(paths: string[]): Promise<boolean[]>
  /** Opens a file in the user's editor. */
  openPlace(place: Place): void
  /** The pointer is on a link whose text may say something else than its address; `null` when it has left. */
  onLink(url: string | null): void
  copy(text: string): void
  readClipboard(): Promise<string>
  onKey(key: PaneKey): void
  onFocus(focused: boolean): void
  onMatches(result: ISearchResultChangeEvent): void
  /** Whether the view stands at its top while the log holds more. */
  onEarlier(available: boolean): void
  /** What the program wrote so far is on the screen. */
  onShown?(): void
  onExit?(): void
  /** The terminal host has gone. */
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
  /** Shows older output than the terminal holds, from the log. */
  loadEarlier(): void
  dispose(): void
}

/** One terminal on screen: an xterm.js over one port to the terminal host. It is made when shown and gone when hidden. */
export function createPane(options: PaneOptions): Pane {
  const { element, port } = options
  let running = options.running
  let closed = false

  const terminal = new Terminal({
    allowProposedApi: true,
    scrollback: scrollbackLines,
    fontSize: options.fontSize,
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
      activate: (_, url) => options.openLink(url),
      hover: (_, url) => options.onLink(url),
      leave: () => options.onLink(null),
    },
  })

  const send = (request: PaneRequest) => {
    if (!closed) port.postMessage(request)
  }
  const fitAddon = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 1000 })
  terminal.loadAddon(fitAddon)
  terminal.loadAddon(search)
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

  // ── Output ──

  const output = createOutput({
    terminal,
    send,
    onEarlier: options.onEarlier,
    onSnapshot() {
      hostSize = { cols: terminal.cols, rows: terminal.rows }
      // To measure the pane costs a layout of the page, which a flood would ask for with every snapshot.
      if (terminal.cols !== fitted?.cols || terminal.rows !== fitted.rows) sizeToFit()
      if (!running) output.hideCursor()
      options.onShown?.()
    },
  })

  const receive = (message: PaneMessage) => {
    if (closed) return
    switch (message.type) {
      case 'snapshot':
        return output.snapshot(message)
      case 'data':
        return output.data(message.data, message.offset)
      case 'history':
        return output.history(message)
      case 'size':
        hostSize = { cols: message.cols, rows: message.rows }
        return
      case 'exit':
        setRunning(false)
        return options.onExit?.()
    }
  }
  const onPortClose = () => {
    if (!closed) options.onLost?.()
  }
  port.addEventListener('close', onPortClose)
  port.onmessage = (event: MessageEvent<PaneMessage>) => receive(event.data)

  const setRunning = (now: boolean) => {
    if (running === now) return
    running = now
    terminal.options.disableStdin = !now
    if (!now) output.hideCursor()
  }

  // ── Input: what the user typed, pasted or clicked, and nothing that the terminal says by itself ──

  let scrolling = false
  terminal.attachCustomWheelEventHandler(() => {
    // What the terminal makes of it is sent before this event is over.
    scrolling = true
    setTimeout(() => {
      scrolling = false
    })
    return true
  })
  const type = (data: string) => {
    if (running && !isFocusReport(data)) send({ type: 'input', data, ...(scrolling && { scrolled: true }) })
  }
  terminal.onData(type)
  terminal.onBinary(type)

  const pasteText = (text: string) => {
    if (running && text) terminal.paste(cleanPaste(text))
  }

  const copySelection = () => {
    const text = terminal.getSelection()
    if (!text) return false
    options.copy(text)
    return true
  }

  const paste = async () => pasteText(await options.readClipboard())

  terminal.attachCustomKeyEventHandler((event) => {
    if (!event.isTrusted) return false
    const key = paneKey(event, { running, mac: options.mac })
    if (!key) return true
    if (event.type !== 'keydown' || key === 'window') return false
    event.preventDefault()
    event.stopPropagation()
    if (key === 'copy') copySelection()
    else if (key === 'to-top') terminal.scrollToTop()
    else if (key === 'to-end') terminal.scrollToBottom()
    else options.onKey(key)
    return false
  })

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (event.isTrusted) pasteText(event.clipboardData?.getData('text/plain') ?? '')
  }
  element.addEventListener('paste', onPaste, true)

  // With screen readers in mind xterm.js leaves alone what comes without a key: dictation, emoji, an on-screen keyboard.
  let keyIsDown = false
  const onKeyChange = (event: KeyboardEvent) => {
    keyIsDown = event.type === 'keydown'
  }
  const onInput = (event: Event) => {
    const { inputType, data, isComposing, isTrusted } = event as InputEvent
    if (!terminal.options.screenReaderMode || !isTrusted || keyIsDown || isComposing) return
    if (inputType === 'insertText' && data) type(data)
  }
  element.addEventListener('keydown', onKeyChange, true)
  element.addEventListener('keyup', onKeyChange, true)
  element.addEventListener('input', onInput, true)

  const setFocused = (focused: boolean) => {
    output.setFocused(focused)
    options.onFocus(focused)
  }
  const onFocusIn = () => setFocused(true)
  const onFocusOut = (event: FocusEvent) => {
    if (!element.contains(event.relatedTarget as Node | null)) setFocused(false)
  }
  element.addEventListener('focusin', onFocusIn)
  element.addEventListener('focusout', onFocusOut)

  // ── Size ──

  let hostSize = { cols: 0, rows: 0 }
  /** What fits into the pane as it is; nothing while that is not known. */
  let fitted: { cols: number; rows: number } | null = null
  let resizeTimer: ReturnType<typeof setTimeout> | undefined

  const sizeToFit = () => {
    if (closed || element.clientWidth < 20 || element.clientHeight < 20) return
    const before = { cols: terminal.cols, selected: terminal.getSelectionPosition() }
    fitAddon.fit()
    const { cols, rows } = terminal
    // No line moves when only the number of rows changes, yet xterm.js forgets the selection and so which hit was found.
    if (before.selected && cols === before.cols) select(before.selected)
    fitted = { cols, rows }
    if (!running || (cols === hostSize.cols && rows === hostSize.rows)) return
    hostSize = { cols, rows }
    send({ type: 'resize', cols, rows })
  }
  const select = ({ start, end }: IBufferRange) =>
    terminal.select(start.x, start.y, (end.y - start.y) * terminal.cols + end.x - start.x)
  const sizeSoon = () => {
    fitted = null
    clearTimeout(resizeTimer)
    resizeTimer = setTimeout(sizeToFit, RESIZE_DELAY)
  }
  const sizes = new ResizeObserver(sizeSoon)
  sizes.observe(element)

  // ── Search and colours ──

  let query = ''
  const setQuery = (text: string) => {
    if ((text === '') !== (query === '')) terminal.options.theme = readTheme(element, text !== '')
    query = text
  }
  const find = (direction: 'next' | 'previous', incremental = false) => {
    const found = { decorations: readMatchColours(element), incremental }
    if (direction === 'next') search.findNext(query, found)
    else search.findPrevious(query, found)
  }
  const stopTheme = watchTheme(() => {
    terminal.options.theme = readTheme(element, query !== '')
    if (query === '') return
    search.clearDecorations()
    find('previous', true)
  })
  search.onDidChangeResults(options.onMatches)

  return {
    focus: () => terminal.focus(),
    setRunning,
    setLabel,
    setFontSize(size) {
      if (terminal.options.fontSize === size) return
      terminal.options.fontSize = size
      sizeSoon()
    },
    copySelection,
    selectAll: () => terminal.selectAll(),
    interrupt: () => type('\x03'),
    paste,
    find(text, direction) {
      setQuery(text)
      find(direction)
    },
    endSearch() {
      setQuery('')
      search.clearDecorations()
      terminal.clearSelection()
    },
    loadEarlier: output.loadEarlier,
    dispose() {
      closed = true
      clearTimeout(resizeTimer)
      output.dispose()
      paths.dispose()
      sizes.disconnect()
      stopTheme()
      element.removeEventListener('paste', onPaste, true)
      element.removeEventListener('keydown', onKeyChange, true)
      element.removeEventListener('keyup', onKeyChange, true)
      element.removeEventListener('input', onInput, true)
      element.removeEventListener('focusin', onFocusIn)
      element.removeEventListener('focusout', onFocusOut)
      port.close()
      gpu.dispose()
      terminal.dispose()
    },
  }
}
