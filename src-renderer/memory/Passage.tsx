import type { MemoryHit } from '../../src-preload/contract/memory'

/** A passage with its location, and how close it is to the query. */
export function Passage({ hit, onOpen }: { hit: MemoryHit; onOpen: (path: string) => void }) {
  const lines = hit.startLine === hit.endLine ? `line ${hit.startLine}` : `lines ${hit.startLine}–${hit.endLine}`
  return (
    <article className="memory-passage" aria-label={`${hit.path}, ${lines}`}>
      <header>
        <button type="button" className="ui-cut memory-place" onClick={() => onOpen(hit.path)}>
          {hit.path}
        </button>
        <span className="memory-lines">{lines}</span>
        <meter
          className="memory-score"
          aria-label="Similarity"
          min={0}
          max={1}
          value={hit.score}
          title={`Similarity ${hit.score.toFixed(2)}`}
        />
      </header>
      <p>{hit.snippet}</p>
    </article>
  )
}
