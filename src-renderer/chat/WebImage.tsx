import { ImageDown } from 'lucide-react'
import { useState } from 'react'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { Picture } from './Picture'

/**
 * Fetched images are kept until the window closes, so that they need not be fetched again when they scroll into view.
 */
const kept = new Map<string, string>()
const mostKept = 20

/** An image on the web: its server would learn that it was viewed, so it is fetched only on a click. */
export function WebImage({ url, name }: { url: string; name: string }) {
  const [data, setData] = useState(() => kept.get(url))
  const [state, setState] = useState<'asked' | { problem: string } | null>(null)
  const host = URL.parse(url)?.hostname ?? url
  if (data) return <Picture src={data} name={name || `Image from ${host}`} />
  const load = () => {
    setState('asked')
    call('picture.load', { url }).then(
      (loaded) => {
        const oldest = kept.size >= mostKept ? kept.keys().next().value : undefined
        if (oldest !== undefined) kept.delete(oldest)
        kept.set(url, loaded)
        setData(loaded)
      },
      (error: Error) => setState({ problem: error.message }),
    )
  }
  return (
    <span className="chat-web-image">
      <button
        type="button"
        className="chat-load-image"
        title={visible(url)}
        disabled={state === 'asked'}
        onClick={load}
      >
        <ImageDown size={14} aria-hidden />
        {state === 'asked' ? 'Loading…' : `Load ${name ? `“${visible(name)}”` : 'image'} from ${visible(host)}`}
      </button>
      {state !== null && state !== 'asked' && <span className="chat-image-problem">{state.problem}</span>}
    </span>
  )
}
