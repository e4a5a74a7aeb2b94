import { type RefObject, useState } from 'react'
import { FindLine } from '../ui/FindLine'
import type { Pane } from './pane'

export interface Matches {
  resultIndex: number
  resultCount: number
}

interface FindBarProps {
  pane: RefObject<Pane | null>
  matches: Matches
  /** Changes when the field should take the focus again. */
  openedAt: number
  onClose: () => void
}

/** Finds text in one terminal: Enter goes to the next match, Shift+Enter to the previous one. */
export function FindBar({ pane, matches, openedAt, onClose }: FindBarProps) {
  const [query, setQuery] = useState('')
  const find = (direction: 'next' | 'previous', text = query) => {
    if (text) pane.current?.find(text, direction)
    else pane.current?.endSearch()
  }
  const close = () => {
    pane.current?.endSearch()
    onClose()
    pane.current?.focus()
  }
  const type = (text: string) => {
    setQuery(text)
    // The newest output is at the end, so the search starts there.
    find('previous', text)
  }

  return (
    <FindLine
      className="terminal-find"
      label="Find in this terminal"
      placeholder="Find"
      close="Close search"
      query={query}
      count={query ? counted(matches) : ''}
      openedAt={openedAt}
      onQuery={type}
      onStep={(by) => find(by < 0 ? 'previous' : 'next')}
      onClose={close}
    />
  )
}

function counted({ resultIndex, resultCount }: Matches): string {
  if (resultCount === 0) return 'none'
  if (resultIndex < 0) return `${resultCount}+`
  return `${resultIndex + 1} of ${resultCount}`
}
