import { useEffect, useRef } from 'react'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'

const sources = { stderr: 'stderr', server: 'log', deckhand: 'deckhand' }

/** The log of a server, live. */
export function ServerLog({ id }: { id: string }) {
  const lines = useDeckhand((state) => state.mcpLogs[id])
  const asked = useAsk(() => load('mcp.log', { id }), id)
  const end = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is the reason to scroll
  useEffect(() => {
    const box = end.current
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 80) box.scrollTop = box.scrollHeight
  }, [lines])
  return (
    <Loaded asked={asked} ready={lines !== undefined} what="The log" small>
      {lines?.length === 0 ? (
        <p className="page-hint">The log is empty.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll what overflows
        <section ref={end} className="mcp-log" aria-label={`Log of ${id}`} tabIndex={0}>
          {lines?.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no identity but their place
            <p key={at} data-from={line.from}>
              <time>{new Date(line.at).toLocaleTimeString()}</time>
              <span>{sources[line.from]}</span>
              {line.text}
            </p>
          ))}
        </section>
      )}
    </Loaded>
  )
}
