import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { NodeLog as Log } from '../../src-preload/contract/nodes'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { Button, Scroll } from '../ui'
import { logRow } from './node-words'

const shownLines = 50

/** The last lines of a node's own log. */
export function NodeLog({ id }: { id: string }) {
  const [log, setLog] = useState<Log | null>(null)
  const asked = useAsk(() => call('node.logs', { id, lines: shownLines }).then(setLog), id)
  return (
    <Loaded asked={asked} ready={log !== null} what="The log" small>
      <div className="nodes-log-head">
        <span className="page-hint">
          {log?.lines.length === 0
            ? 'The log is empty.'
            : log?.truncated
              ? `The last ${shownLines} lines.`
              : 'All lines.'}
        </span>
        <Button kind="quiet" icon={<RefreshCw size={13} />} disabled={asked.busy} onClick={asked.again}>
          Refresh
        </Button>
      </div>
      {asked.problem && (
        <p className="page-error" role="alert">
          {asked.problem}
        </p>
      )}
      {log && log.lines.length > 0 && (
        <Scroll label={`Log of ${id}`} className="nodes-log">
          {log.lines.map((line, at) => {
            const row = logRow(line)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no identity but their place
              <p key={at} data-level={row.level}>
                {row.time && <time>{row.time}</time>}
                {row.text}
              </p>
            )
          })}
        </Scroll>
      )}
    </Loaded>
  )
}
