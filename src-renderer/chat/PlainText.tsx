import { bytes } from '../state/format'
import { Button } from '../ui'
import { useExpanded } from './use-expanded'

/** A pasted log can be a megabyte; that much text in one row would slow down scrolling past it. */
const longest = 12_000

/** Text as it was typed; very long text is shortened until the user expands it. */
export function PlainText({ id, text }: { id: string; text: string }) {
  const [open, toggle] = useExpanded(`${id}:all`)
  if (text.length <= longest) return <p className="chat-plain">{text}</p>
  return (
    <>
      <p className="chat-plain">{open ? text : `${text.slice(0, longest)}…`}</p>
      <Button kind="quiet" onClick={toggle}>
        {open ? 'Show less' : `Show all (${bytes(text.length)})`}
      </Button>
    </>
  )
}
