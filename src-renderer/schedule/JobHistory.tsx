import { useState } from 'react'
import type { ScheduledRun } from '../../src-preload/contract/schedule'
import { Answer } from '../page/Answer'
import { useAsk } from '../page/use-ask'
import { attempt, selectSession } from '../state/actions'
import { call } from '../state/bridge'
import { duration } from '../state/format'
import { setState, useDeckhand } from '../state/store'
import { Button, When } from '../ui'
import { resultOf } from './schedule-words'

const pageSize = 20

/** How a job's runs went, newest first, each with the way to its session. */
export function JobHistory({ jobId }: { jobId: string }) {
  const runs = useDeckhand((state) => state.runs[jobId])
  const [more, setMore] = useState(false)
  const keep = (list: ScheduledRun[]) => setState((state) => ({ runs: { ...state.runs, [jobId]: list } }))
  const read = (limit: number) =>
    call('schedule.runs', { jobId, limit }).then((list) => {
      keep(list)
      setMore(list.length === limit)
    })
  const asked = useAsk(() => read(pageSize), jobId)
  return (
    <Answer asked={asked} ready={runs !== undefined} what="The history" small>
      {runs?.length === 0 && <p className="page-hint">It has not run yet.</p>}
      <ul className="schedule-runs" aria-label="Runs">
        {runs?.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
      {more && runs && (
        <Button kind="quiet" onClick={() => attempt(read(runs.length + pageSize))}>
          Show older runs
        </Button>
      )}
    </Answer>
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
