import '@xterm/xterm/css/xterm.css'
import { type RefObject, useEffect, useRef } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { Button } from '../ui'
import type { Pane } from './pane'
import { type ScreenEvents, useAttachment } from './use-attachment'
import { useOnScreen } from './use-on-screen'

interface ScreenProps extends ScreenEvents {
  process: ProcessInfo
  pane: RefObject<Pane | null>
  /** Changes when the pane should take the focus. */
  focusAt: number
}

/** The terminal itself. It has an xterm and a port only while it is visible. */
export function Screen({ process, pane, focusAt, ...events }: ScreenProps) {
  const host = useRef<HTMLDivElement>(null)
  const visible = useOnScreen(host)
  const { attachment, shown, again } = useAttachment(process, host, pane, visible, events)
  const ready = attachment.state === 'ready'
  useEffect(() => {
    if (ready && focusAt > 0) pane.current?.focus()
  }, [pane, ready, focusAt])

  return (
    <div className="terminal-screen">
      <div
        ref={host}
        className="terminal-host"
        data-ready={ready}
        aria-busy={(visible && !shown.text && attachment.state !== 'failed') || undefined}
      />
      {ready && process.status !== 'running' && process.bytes === 0 && <p className="terminal-silent">No output.</p>}
      {shown.earlier && (
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
      {shown.link && (
        <p className="ui-cut terminal-link-address" aria-hidden>
          {shown.link}
        </p>
      )}
      {attachment.state === 'failed' && (
        <div className="ui-row terminal-failed" role="alert">
          <p>This terminal could not be shown: {attachment.message}</p>
          <Button onClick={again}>Try again</Button>
        </div>
      )}
    </div>
  )
}
