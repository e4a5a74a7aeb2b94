import type { ProcessInfo } from '../../src-preload/contract/processes'
import { useNow } from '../ui'
import { age, isLiveStatus } from './words'

/** How long a process has run, kept current; the exact times on hover. */
export function Age({ process }: { process: ProcessInfo }) {
  const young = Date.now() - process.startedAt < 60_000
  const now = useNow(isLiveStatus(process.status) ? (young ? 1000 : 15_000) : null)
  const started = new Date(process.startedAt).toLocaleString()
  const ended = process.endedAt === null ? '' : `, ended ${new Date(process.endedAt).toLocaleString()}`
  return (
    <time
      className="terminal-age"
      dateTime={new Date(process.startedAt).toISOString()}
      title={`Started ${started}${ended}`}
    >
      {age(process, now)}
    </time>
  )
}
