import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { call, openTerminal } from '../state/bridge'
import { copyText, openLink } from '../state/desktop'
import { drawable } from '../state/marks'
import { openPlace } from '../state/places'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { changeFontSize, FONT_SIZE } from './font-size'
import { createPane, type Pane, type PaneOptions } from './pane'

const ATTEMPTS = 5
const RETRY_MS = 800

type Attachment = { state: 'waiting' } | { state: 'ready' } | { state: 'failed'; message: string }

export interface ScreenEvents {
  onFocus: (focused: boolean) => void
  onSearch: () => void
  onLeave: () => void
  onMatches: PaneOptions['onMatches']
}

/** What the pane shows besides the terminal's text. */
const nothingShown: { text: boolean; earlier: boolean; link: string | null } = {
  text: false,
  earlier: false,
  link: null,
}

/**
 * Creates a pane in `host` while it is visible and there is a port to the process, and puts it into `pane`. A lost
 * connection is retried a few times; `again` is for the user.
 */
export function useAttachment(
  process: ProcessInfo,
  host: RefObject<HTMLElement | null>,
  pane: RefObject<Pane | null>,
  visible: boolean,
  events: ScreenEvents,
) {
  const fontSize = useDeckhand((state) => state.settings?.terminalFontSize ?? FONT_SIZE.usual)
  const mac = useDeckhand((state) => state.platform === 'darwin')
  const [attachment, setAttachment] = useState<Attachment>({ state: 'waiting' })
  const [shown, setShown] = useState(nothingShown)
  const [attempts, setAttempts] = useState(0)
  const returns = useReturns(process.link)

  const running = process.status === 'running'
  const label = drawable(`Terminal: ${process.title || process.command}. Ctrl+Shift+Escape leaves it.`)
  const current = useRef({ fontSize, mac, running, label, events })
  current.current = { fontSize, mac, running, label, events }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt attaches anew; the rest is read when needed
  useEffect(() => {
    const element = host.current
    if (!visible || !element) return
    const closing = new AbortController()
    let made: Pane | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    const show = (part: Partial<typeof shown>) => setShown((before) => ({ ...before, ...part }))
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
          onLink: (link) => show({ link }),
          copy: (text) => copyText(text),
          readClipboard: () => call('app.paste', {}),
          onFocus: (focused) => current.current.events.onFocus(focused),
          onMatches: (result) => current.current.events.onMatches(result),
          onEarlier: (earlier) => show({ earlier }),
          onShown: () => show({ text: true }),
          onLost() {
            setAttachment({ state: 'failed', message: 'its connection was lost.' })
            // The terminal host is restarted when it dies; earlier output is in the log.
            if (attempts < ATTEMPTS) retry = setTimeout(() => setAttempts(attempts + 1), RETRY_MS)
          },
          onKey(key) {
            if (key === 'search') current.current.events.onSearch()
            else if (key === 'paste') attempt(made?.paste() ?? Promise.resolve())
            else if (key === 'leave') current.current.events.onLeave()
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
      setShown(nothingShown)
    }
  }, [process.id, visible, attempts, returns])

  const ready = attachment.state === 'ready'
  useEffect(() => {
    if (!ready) return
    pane.current?.setRunning(running)
    pane.current?.setFontSize(fontSize)
    pane.current?.setLabel(label)
  }, [pane, ready, running, fontSize, label])

  const again = () => {
    setAttachment({ state: 'waiting' })
    setAttempts(attempts + 1)
  }
  return { attachment, shown, again }
}

/**
 * How often the machine of a process was reconnected. The pane attaches again each time, since until then it only has
 * the log.
 */
function useReturns(link: ProcessInfo['link']): number {
  const [returns, setReturns] = useState(0)
  const away = useRef(false)
  useEffect(() => {
    if (away.current && link === 'up') setReturns((count) => count + 1)
    away.current = link === 'down'
  }, [link])
  return returns
}
