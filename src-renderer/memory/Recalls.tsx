import { useState } from 'react'
import type { MemoryRecall } from '../../src-preload/contract/memory'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { selectSession } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { When } from '../ui/When'
import { NoPassages } from './NoPassages'
import { Passage } from './Passage'

interface RecallsProps {
  agentId: string
  onOpen: (path: string) => void
}

/** What the agent searched for while it answered, and what it found. */
export function Recalls({ agentId, onOpen }: RecallsProps) {
  const changes = useDeckhand((state) => state.memoryChanges)
  const [recalls, setRecalls] = useState<MemoryRecall[] | null>(null)
  const asked = useAsk(() => call('memory.recalls', { agentId }).then(setRecalls), `${agentId} ${changes}`)
  return (
    <Loaded asked={asked} ready={recalls !== null} what="The recalls">
      {recalls?.length === 0 ? (
        <NoPassages
          title="Nothing recalled yet"
          words="When an agent searches its memory, its question and the passages it found appear here."
        />
      ) : (
        <ul className="ui-column memory-list" aria-label="Recalls">
          {recalls?.map((recall) => (
            <li key={recall.id}>
              <Recall recall={recall} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Recall({ recall, onOpen }: { recall: MemoryRecall; onOpen: (path: string) => void }) {
  const { query, at, sessionId, sessionTitle, hits } = recall
  return (
    <article className="ui-column page-card" aria-label={query}>
      <header className="ui-row page-card-head">
        <h3>{query}</h3>
        <span className="ui-row page-card-tools memory-lines">
          {sessionTitle !== null && (
            <button type="button" className="ui-cut memory-place" onClick={() => selectSession(sessionId)}>
              {sessionTitle}
            </button>
          )}
          <When time={at} />
        </span>
      </header>
      {hits.length === 0 && <p className="page-hint">Nothing found.</p>}
      {hits.map((hit) => (
        <Passage key={`${hit.path} ${hit.startLine} ${hit.snippet}`} hit={hit} onOpen={onOpen} />
      ))}
    </article>
  )
}
