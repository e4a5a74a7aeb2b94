import { useEffect, useState } from 'react'
import type { SearchHit } from '../../src-preload/contract/sessions'
import { call } from '../state/bridge'
import { exactTime, relativeTime, snippetPieces } from '../state/format'
import { openMessage } from '../state/navigate'
import { sortedSessions } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { attempt, toast } from '../state/toasts'
import { Skeleton } from '../ui'
import { SessionRow } from './SessionRow'

/** Matching titles at once, and matching messages when the index has answered. */
export function SearchResults({ query }: { query: string }) {
  const sessions = useDeckhand((state) => state.sessions)
  const { hits, pending } = useSearch(query)
  const named = sortedSessions(sessions).filter((session) => session.title.toLowerCase().includes(query.toLowerCase()))
  const nothing = !pending && named.length === 0 && hits.length === 0
  return (
    <>
      {named.length > 0 && (
        <section aria-label="Sessions by title">
          <h2 className="ui-quiet sidebar-day">Titles</h2>
          <ul className="sidebar-rows">
            {named.slice(0, 20).map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        </section>
      )}
      {hits.length > 0 && (
        <section aria-label="Messages">
          <h2 className="ui-quiet sidebar-day">Messages</h2>
          <ul className="sidebar-rows">
            {hits.map((hit) => (
              <li key={hit.messageId}>
                <HitRow hit={hit} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {pending && hits.length === 0 && <Skeleton rows={4} />}
      {nothing && <p className="sidebar-none">Nothing found for “{query}”.</p>}
    </>
  )
}

function HitRow({ hit }: { hit: SearchHit }) {
  return (
    <button
      type="button"
      data-row
      className="sidebar-hit"
      title={exactTime(hit.createdAt)}
      onClick={() => attempt(openMessage(hit.sessionId, hit.messageId, hit.seq))}
    >
      <span className="ui-quiet sidebar-hit-head">
        <span className="ui-cut sidebar-row-title">{hit.sessionTitle || 'New session'}</span>
        <span>{relativeTime(hit.createdAt, Date.now())}</span>
      </span>
      <span className="sidebar-hit-text">
        {snippetPieces(hit.snippet).map((piece, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no identity but their place
          piece.hit ? <mark key={at}>{piece.text}</mark> : piece.text,
        )}
      </span>
    </button>
  )
}

function useSearch(query: string): { hits: SearchHit[]; pending: boolean } {
  const [answer, setAnswer] = useState<{ query: string; hits: SearchHit[] }>({ query: '', hits: [] })
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      call('session.search', { query }).then(
        (hits) => current && setAnswer({ query, hits }),
        (error: Error) => {
          if (!current) return
          setAnswer({ query, hits: [] })
          toast({ kind: 'error', text: error.message })
        },
      )
    }, 150)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [query])
  return { hits: answer.hits, pending: answer.query !== query }
}
