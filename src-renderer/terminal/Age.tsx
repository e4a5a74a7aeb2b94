import { useEffect, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { age, isLiveStatus } from './words'

/** How long a process has run, kept current; the exact times on hover. */
export function Age({ process }: { process: ProcessInfo }) {
  const [now, setNow] = useState(Date.now)
  const live = isLiveStatus(process.status)
  const young = now - process.startedAt < 60_000
  useEffect(() => {
    if (!live) return
    const timer = setInterval(() => setNow(Date.now()), young ? 1000 : 15_000)
    return () => clearInterval(timer)
  }, [live, young])
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
