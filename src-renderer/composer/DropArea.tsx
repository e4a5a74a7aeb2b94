import { Paperclip } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { focusComposer } from '../state/navigate'
import { attempt } from '../state/toasts'
import { attach } from './attachments'

/** The whole chat accepts dropped files, and says so while they hover over it. */
export function DropArea({ sessionId, children }: { sessionId: string; children: ReactNode }) {
  const [over, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the attach button does the same
    <div
      className="composer-drop"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!inside) setOver(false)
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        attempt(attach(sessionId, [...event.dataTransfer.files]))
        focusComposer()
      }}
    >
      {children}
      {over && (
        <div className="ui-row composer-drop-here" aria-hidden>
          <Paperclip size={22} />
          Drop to attach
        </div>
      )}
    </div>
  )
}
