import type { Terminal } from '@xterm/xterm'
import type { PaneRequest } from '../../src-preload/contract/processes'
import { type PaneKey, paneKey } from './keys'
import { isFocusReport } from './replies'

interface InputOptions {
  terminal: Terminal
  element: HTMLElement
  mac: boolean
  /** Nothing is sent to a program that has ended. */
  isRunning(): boolean
  send(request: PaneRequest): void
  copy(text: string): void
  readClipboard(): Promise<string>
  /** Called for a key that means something to the pane and is not handled here. */
  onKey(key: PaneKey): void
}

/** Sends what the user typed, pasted or clicked to the program, and nothing that the terminal produces by itself. */
export function createInput({ terminal, element, mac, isRunning, send, copy, readClipboard, onKey }: InputOptions) {
  const closing = new AbortController()
  const scrolled = watchWheel(terminal)

  const type = (data: string) => {
    if (isRunning() && !isFocusReport(data)) send({ type: 'input', data, ...(scrolled() && { scrolled: true }) })
  }
  terminal.onData(type)
  terminal.onBinary(type)

  const pasteText = (text: string) => {
    if (isRunning() && text) terminal.paste(cleanPaste(text))
  }
  const copySelection = () => {
    const text = terminal.getSelection()
    if (!text) return false
    copy(text)
    return true
  }

  terminal.attachCustomKeyEventHandler((event) => {
    if (!event.isTrusted) return false
    const key = paneKey(event, { running: isRunning(), mac })
    if (!key) return true
    if (event.type !== 'keydown' || key === 'window') return false
    event.preventDefault()
    event.stopPropagation()
    if (key === 'copy') copySelection()
    else if (key === 'to-top') terminal.scrollToTop()
    else if (key === 'to-end') terminal.scrollToBottom()
    else onKey(key)
    return false
  })

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (event.isTrusted) pasteText(event.clipboardData?.getData('text/plain') ?? '')
  }
  element.addEventListener('paste', onPaste, { capture: true, signal: closing.signal })
  typeWithoutKeys(terminal, element, type, closing.signal)

  return {
    type,
    copySelection,
    paste: async () => pasteText(await readClipboard()),
    dispose: () => closing.abort(),
  }
}

/** Returns whether what the terminal sends now comes from the wheel: it is sent before the wheel's event has ended. */
function watchWheel(terminal: Terminal): () => boolean {
  let scrolling = false
  terminal.attachCustomWheelEventHandler(() => {
    scrolling = true
    setTimeout(() => {
      scrolling = false
    })
    return true
  })
  return () => scrolling
}

/** In screen reader mode xterm.js ignores input without a key: dictation, emoji, an on-screen keyboard. */
function typeWithoutKeys(terminal: Terminal, element: HTMLElement, type: (data: string) => void, signal: AbortSignal) {
  let keyIsDown = false
  const onKeyChange = (event: KeyboardEvent) => {
    keyIsDown = event.type === 'keydown'
  }
  const onInput = (event: Event) => {
    if (!(event instanceof InputEvent) || !terminal.options.screenReaderMode || !event.isTrusted) return
    if (keyIsDown || event.isComposing) return
    if (event.inputType === 'insertText' && event.data) type(event.data)
  }
  element.addEventListener('keydown', onKeyChange, { capture: true, signal })
  element.addEventListener('keyup', onKeyChange, { capture: true, signal })
  element.addEventListener('input', onInput, { capture: true, signal })
}

/**
 * Makes clipboard text safe for a terminal: control characters could end a bracketed paste early, or press keys that
 * are not visible in the text. Tabs, line ends and everything readable stay.
 */
export const cleanPaste = (text: string) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
