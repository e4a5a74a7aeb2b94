import { bytes } from '../state/format'
import { Button } from '../ui'
import { useExpanded } from './use-expanded'

/** A pasted log can be a megabyte; so much text in one row would hold up every scroll past it. */
const longest = 12_000

/** Text as it was typed, shortened when it is very long until someone asks for all of it. */
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
