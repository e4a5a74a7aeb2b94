import { ArrowLeft, Camera, ExternalLink, RotateCw, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Preview } from '../../src-preload/contract/preview'
import { addAttachments } from '../composer/attachments'
import { call } from '../state/bridge'
import { openLink } from '../state/desktop'
import { visible } from '../state/format'
import { focusComposer } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, IconButton } from '../ui'
import { ConsoleLines } from './ConsoleLines'
import { usePlacedPage } from './use-placed-page'
import './preview.css'

/**
 * The page of something that the session runs, beside the chat. Main draws the page itself over the space left for it.
 */
export function PreviewPane({ sessionId }: { sessionId: string }) {
  const preview = useDeckhand((state) => (state.preview?.sessionId === sessionId ? state.preview : null))
  if (!preview) return null
  return <Shown preview={preview} />
}

function Shown({ preview }: { preview: Preview }) {
  const room = useRef<HTMLButtonElement>(null)
  usePlacedPage(room, preview.problem === null)
  const takePicture = () =>
    attempt(
      call('preview.picture', {}).then((picture) => {
        addAttachments(preview.sessionId, [picture])
        focusComposer()
      }),
    )
  return (
    <section className="preview" aria-label="Preview">
      <header className="ui-row preview-head">
        <IconButton
          label="Back"
          icon={<ArrowLeft size={15} />}
          disabled={!preview.canGoBack}
          onClick={() => attempt(call('preview.back', {}))}
        />
        <IconButton label="Reload" icon={<RotateCw size={14} />} onClick={() => attempt(call('preview.reload', {}))} />
        <Address preview={preview} />
        <IconButton label="Attach a screenshot" icon={<Camera size={15} />} onClick={takePicture} />
        <IconButton
          label="Open in the browser"
          icon={<ExternalLink size={14} />}
          onClick={() => openLink(preview.url)}
        />
        <IconButton label="Close preview" icon={<X size={15} />} onClick={() => attempt(call('preview.close', {}))} />
      </header>
      {preview.problem === null ? (
        <button
          ref={room}
          type="button"
          className="preview-room"
          aria-label={`Go to the page ${visible(preview.title || preview.url)}. F6 comes back.`}
          onClick={() => attempt(call('preview.focus', {}))}
        />
      ) : (
        <div className="ui-row preview-problem">
          <p>{preview.problem}</p>
          <Button onClick={() => attempt(call('preview.reload', {}))}>Try again</Button>
        </div>
      )}
      <ConsoleLines lines={preview.log} />
    </section>
  )
}

/** The user may type any address here, unlike the page, which cannot navigate freely. */
function Address({ preview: { sessionId, url } }: { preview: Preview }) {
  const [draft, setDraft] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has moved on
  useEffect(() => setDraft(null), [url])
  const go = (event: FormEvent) => {
    event.preventDefault()
    const typed = (draft ?? url).trim()
    const address = /^https?:\/\//i.test(typed) ? typed : `http://${typed}`
    attempt(call('preview.open', { sessionId, url: address, typed: true }))
  }
  return (
    <form className="preview-address" onSubmit={go}>
      <input
        className="ui-input"
        aria-label="Address"
        spellCheck={false}
        value={draft ?? url}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
      />
    </form>
  )
}
