import { useEffect, useState } from 'react'
import type { FoundMessage } from '../../src-preload/contract/writing'
import { call } from '../state/bridge'
import { focusComposer, openMessage } from '../state/navigate'
import { setState, useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { FindLine } from '../ui/FindLine'
import { markText } from './mark-text'
import './find.css'

/** The search starts when the user pauses. */
const pauseMs = 150

interface Found {
  query: string
  messages: FoundMessage[]
}

/**
 * Finds text in the whole session, including the part that is not loaded, starting at the newest match. Enter goes to
 * the next match, Shift+Enter to the previous one.
 */
export function FindBar({ sessionId }: { sessionId: string }) {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found>({ query: '', messages: [] })
  const [at, setAt] = useState(-1)
  const openedAt = useDeckhand((state) => state.finding)
  const { messages } = found
  const current = messages[at]?.messageId

  useEffect(() => {
    if (query === '') return setFound({ query, messages: [] })
    const asked = new AbortController()
    const look = async () => {
      const hits = await call('session.find', { sessionId, query })
      if (asked.signal.aborted) return
      setFound({ query, messages: hits })
      show(sessionId, hits, hits.length - 1, setAt)
    }
    const timer = setTimeout(() => attempt(look()), pauseMs)
    return () => {
      asked.abort()
      clearTimeout(timer)
    }
  }, [query, sessionId])
  useEffect(() => markText(found.query, current), [found, current])

  const step = (by: number) => {
    if (messages.length > 0) show(sessionId, messages, (at + by + messages.length) % messages.length, setAt)
  }
  const close = () => {
    setState({ finding: null })
    focusComposer()
  }
  return (
    <FindLine
      className="chat-find"
      label="Find in this chat"
      placeholder="Find in this chat"
      close="Close"
      query={query}
      count={query === '' ? '' : countWords(found, query, at)}
      openedAt={openedAt}
      onQuery={setQuery}
      onStep={step}
      onClose={close}
    />
  )
}

function show(sessionId: string, messages: FoundMessage[], at: number, setAt: (at: number) => void): void {
  setAt(at)
  const hit = messages[at]
  if (hit) attempt(openMessage(sessionId, hit.messageId, hit.seq))
}

function countWords({ query: asked, messages }: Found, query: string, at: number): string {
  if (asked !== query) return ''
  return messages.length === 0 ? 'No matches' : `${at + 1} of ${messages.length}`
}
