import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { IconButton } from './Button'

interface FindLineProps {
  className: string
  label: string
  placeholder: string
  close: string
  query: string
  /** How many matches there are, in words. */
  count: string
  /** Changes when the text in the field should be selected. */
  openedAt: number | null
  onQuery: (query: string) => void
  onStep: (by: 1 | -1) => void
  onClose: () => void
}

/** A field that finds text: Enter goes to the next match, Shift+Enter to the previous one, Escape closes it. */
export function FindLine(props: FindLineProps) {
  const { className, label, placeholder, close, query, count, openedAt, onQuery, onStep, onClose } = props
  const field: RefObject<HTMLInputElement | null> = useRef(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, what stands in it is selected
  useEffect(() => field.current?.select(), [openedAt])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className={className}>
      <input
        ref={field}
        className="ui-input"
        aria-label={label}
        placeholder={placeholder}
        value={query}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
        autoFocus
        maxLength={500}
        onKeyDown={onKeyDown}
        onChange={(event) => onQuery(event.target.value)}
      />
      <output className={`${className}-count`}>{count}</output>
      <IconButton label="Previous match" icon={<ChevronUp size={14} />} onClick={() => onStep(-1)} />
      <IconButton label="Next match" icon={<ChevronDown size={14} />} onClick={() => onStep(1)} />
      <IconButton label={close} icon={<X size={14} />} onClick={onClose} />
    </search>
  )
}
