import { useState } from 'react'
import type { ScheduledRun } from '../../src-preload/contract/schedule'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { duration } from '../state/format'
import { load } from '../state/load'
import { selectSession } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, When } from '../ui'
import { resultOf } from './schedule-words'

const pageSize = 20

/** The results of a job's runs, newest first, each with a link to its session. */
export function JobHistory({ jobId }: { jobId: string }) {
  const runs = useDeckhand((state) => state.runs[jobId])
  const [limit, setLimit] = useState(pageSize)
  const asked = useAsk(() => load('schedule.runs', { jobId, limit }), `${jobId} ${limit}`)
  return (
    <Loaded asked={asked} ready={runs !== undefined} what="The history" small>
      {runs?.length === 0 && <p className="page-hint">It has not run yet.</p>}
      <ul className="schedule-runs" aria-label="Runs">
        {runs?.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
      {runs && runs.length >= limit && (
        <Button kind="quiet" onClick={() => setLimit(limit + pageSize)}>
          Show older runs
        </Button>
      )}
    </Loaded>
  )
}

function Run({ run }: { run: ScheduledRun }) {
  const { sessionId } = run
  const there = useDeckhand((state) => sessionId !== null && state.sessions[sessionId] !== undefined)
  const result = resultOf(run.status)
  return (
    <li>
      <span className="page-dot" data-tone={result.tone} aria-hidden />
      <span className="schedule-run-words">
        <span>
          <span className="schedule-result" data-tone={result.tone}>
            {result.words}
          </span>{' '}
          <When time={run.ts} />
          {run.durationMs !== undefined && `, took ${duration(run.durationMs)}`}
        </span>
        {(run.error ?? run.summary) && (
          <span className={run.error ? 'page-error' : 'page-hint'}>{run.error ?? run.summary}</span>
        )}
      </span>
      {sessionId !== null && there && (
        <Button kind="quiet" onClick={() => selectSession(sessionId)}>
          Open session
        </Button>
      )}
    </li>
  )
}
