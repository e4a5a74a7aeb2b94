import { useRef, useState } from 'react'
import type { MemoryHit } from '../../src-preload/contract/memory'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { NoPassages } from './NoPassages'
import { Passage } from './Passage'

interface FoundProps {
  agentId: string
  query: string
  onOpen: (path: string) => void
}

/** What the agent would find for this query. */
export function Found({ agentId, query, onOpen }: FoundProps) {
  const [hits, setHits] = useState<MemoryHit[] | null>(null)
  const about = `${agentId} ${query}`
  const wanted = useRef(about)
  wanted.current = about
  const asked = useAsk(async () => {
    const found = await call('memory.search', { agentId, query })
    if (wanted.current === about) setHits(found)
  }, about)
  return (
    <Loaded asked={asked} ready={hits !== null} what="The passages">
      {hits?.length === 0 ? (
        <NoPassages
          title="No notes about this"
          words="An agent that asks this gets nothing, rather than something wrong."
        />
      ) : (
        <ul className="ui-column memory-list" aria-label="Passages" aria-busy={asked.busy}>
          {hits?.map((hit) => (
            <li key={`${hit.path} ${hit.startLine} ${hit.snippet}`}>
              <Passage hit={hit} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
