import '@xterm/xterm/css/xterm.css'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { call, openTerminal } from '../state/bridge'
import { copyText, openLink } from '../state/desktop'
import { drawable } from '../state/marks'
import { openPlace } from '../state/places'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { changeFontSize, FONT_SIZE } from './font-size'
import { createPane, type Pane, type PaneOptions } from './pane'
import { useOnScreen } from './use-on-screen'

interface ScreenProps {
  process: ProcessInfo
  pane: RefObject<Pane | null>
  /** Changes when the pane should take the keyboard. */
  focusAt: number
  onFocus: (focused: boolean) => void
  onSearch: () => void
  onLeave: () => void
  onMatches: PaneOptions['onMatches']
}

const ATTEMPTS = 5
const RETRY_MS = 800

type Attachment = { state: 'waiting' } | { state: 'ready' } | { state: 'failed'; message: string }

/** The terminal itself. It has an xterm and a port only while it can be seen. */
export function Screen({ process, pane, focusAt, onFocus, onSearch, onLeave, onMatches }: ScreenProps) {
  const host = useRef<HTMLDivElement>(null)
  const visible = useOnScreen(host)
  const fontSize = useDeckhand((state) => state.settings?.terminalFontSize ?? FONT_SIZE.usual)
  const mac = useDeckhand((state) => state.platform === 'darwin')
  const [attachment, setAttachment] = useState<Attachment>({ state: 'waiting' })
  const [shown, setShown] = useState(false)
  const [earlier, setEarlier] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const [attempts, setAttempts] = useState(0)

  // Of a process that is out of reach only the log is here; the pane joins it when it is back.
  const [returns, setReturns] = useState(0)
  const away = useRef(false)
  useEffect(() => {
    if (away.current && process.link === 'up') setReturns((count) => count + 1)
    away.current = process.link === 'down'
  }, [process.link])

  const running = process.status === 'running'
  const label = drawable(`Terminal: ${process.title || process.command}. Ctrl+Shift+Escape leaves it.`)
  const current = useRef({ fontSize, mac, running, label, onFocus, onSearch, onLeave, onMatches })
  current.current = { fontSize, mac, running, label, onFocus, onSearch, onLeave, onMatches }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt attaches anew; the rest is read when needed
  useEffect(() => {
    const element = host.current
    if (!visible || !element) return
    const closing = new AbortController()
    let made: Pane | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    openTerminal(process.id, closing.signal).then(
      (port) => {
        if (closing.signal.aborted) return port.close()
        const { fontSize, mac, running, label } = current.current
        const { sessionId, cwd } = process
        made = createPane({
          element,
          port,
          fontSize,
          mac,
          running,
          label,
          openLink,
          pathsExist: (paths) => call('editor.exists', { sessionId, paths, cwd }),
          openPlace: (place) => openPlace({ ...place, cwd }),
          onLink: setLink,
          copy: (text) => copyText(text),
          readClipboard: () => call('app.paste', {}),
          onFocus: (focused) => current.current.onFocus(focused),
          onMatches: (result) => current.current.onMatches(result),
          onEarlier: setEarlier,
          onShown: () => setShown(true),
          onLost() {
            setAttachment({ state: 'failed', message: 'its connection was lost.' })
            // The terminal host is started again when it dies; what was written is in the log.
            if (attempts < ATTEMPTS) retry = setTimeout(() => setAttempts(attempts + 1), RETRY_MS)
          },
          onKey(key) {
            if (key === 'search') current.current.onSearch()
            else if (key === 'paste') attempt(made?.paste() ?? Promise.resolve())
            else if (key === 'leave') current.current.onLeave()
            else if (key === 'larger' || key === 'smaller' || key === 'reset-size') changeFontSize(key)
          },
        })
        pane.current = made
        setAttachment({ state: 'ready' })
      },
      (error: Error) => {
        if (!closing.signal.aborted) setAttachment({ state: 'failed', message: error.message })
      },
    )
    return () => {
      closing.abort()
      clearTimeout(retry)
      pane.current = null
      made?.dispose()
      setAttachment({ state: 'waiting' })
      setShown(false)
      setEarlier(false)
      setLink(null)
    }
  }, [process.id, visible, attempts, returns])

  const ready = attachment.state === 'ready'
  useEffect(() => {
    if (!ready) return
    pane.current?.setRunning(running)
    pane.current?.setFontSize(fontSize)
    pane.current?.setLabel(label)
  }, [pane, ready, running, fontSize, label])

  useEffect(() => {
    if (ready && focusAt > 0) pane.current?.focus()
  }, [pane, ready, focusAt])

  return (
    <div className="terminal-screen">
      <div
        ref={host}
        className="terminal-host"
        data-ready={ready}
        aria-busy={(visible && !shown && attachment.state !== 'failed') || undefined}
      />
      {ready && !running && process.bytes === 0 && <p className="terminal-silent">No output.</p>}
      {earlier && (
        <Button
          className="terminal-earlier-output"
          onClick={() => {
            pane.current?.loadEarlier()
            pane.current?.focus()
          }}
        >
          Load earlier output
        </Button>
      )}
      {link && (
        <p className="terminal-link-address" aria-hidden>
          {link}
        </p>
      )}
      {attachment.state === 'failed' && (
        <div className="terminal-failed" role="alert">
          <p>This terminal could not be shown: {attachment.message}</p>
          <Button
            onClick={() => {
              setAttachment({ state: 'waiting' })
              setAttempts(attempts + 1)
            }}
          >
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}
