import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '../ui'
import type { Pane } from './pane'

export interface Matches {
  resultIndex: number
  resultCount: number
}

interface FindBarProps {
  pane: RefObject<Pane | null>
  matches: Matches
  /** Changes when the field should take the keyboard again. */
  openedAt: number
  onClose: () => void
}

/** Finds text in one terminal: Enter for the next hit, Shift+Enter for the one before. */
export function FindBar({ pane, matches, openedAt, onClose }: FindBarProps) {
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it anew selects what stands in it
  useEffect(() => field.current?.select(), [openedAt])

  const find = (direction: 'next' | 'previous', text = query) => {
    if (text) pane.current?.find(text, direction)
    else pane.current?.endSearch()
  }
  const close = () => {
    pane.current?.endSearch()
    onClose()
    pane.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') find(event.shiftKey ? 'previous' : 'next')
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search className="terminal-find">
      <input
        ref={field}
        className="ui-input"
        aria-label="Find in this terminal"
        placeholder="Find"
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value)
          // The newest output stands at the end, so the search begins there.
          find('previous', event.target.value)
        }}
      />
      <output className="terminal-find-count">{query ? counted(matches) : ''}</output>
      <IconButton label="Previous match" icon={<ChevronUp size={14} />} onClick={() => find('previous')} />
      <IconButton label="Next match" icon={<ChevronDown size={14} />} onClick={() => find('next')} />
      <IconButton label="Close search" icon={<X size={14} />} onClick={close} />
    </search>
  )
}

function counted({ resultIndex, resultCount }: Matches): string {
  if (resultCount === 0) return 'none'
  if (resultIndex < 0) return `${resultCount}+`
  return `${resultIndex + 1} of ${resultCount}`
}
