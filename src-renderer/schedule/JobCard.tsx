import { Ellipsis, Pencil, Play, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ScheduledJob } from '../../src-preload/contract/schedule'
import { Confirm } from '../page/Confirm'
import { Fold } from '../page/Fold'
import { call } from '../state/bridge'
import { exactTime, relativeTime } from '../state/format'
import { focusQuestion } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { announce, attempt } from '../state/toasts'
import { Badge, Button, IconButton, Menu, MenuItem, MenuSeparator, Switch, useNow } from '../ui'
import { JobHistory } from './JobHistory'
import { deliveryWords, nextWords, resultOf, textOf } from './schedule-words'

/** One job: what it does, when it runs next, how it went, and its actions. */
export function JobCard({ job, onEdit }: { job: ScheduledJob; onEdit: () => void }) {
  const [removing, setRemoving] = useState(false)
  const { id, name } = job
  const running = job.state.runningAtMs !== undefined
  const run = () => attempt(call('schedule.run', { id }).then(() => announce(`${name} has started`)))
  return (
    <article className="ui-column page-card" aria-label={name} data-dim={!job.enabled || undefined}>
      <header className="ui-row page-card-head">
        <h3>{name}</h3>
        {running && !job.waiting && (
          <Badge tone="accent">
            <span className="page-dot" data-tone="busy" /> running
          </Badge>
        )}
        {job.madeBy === 'agent' && <Badge>created by the agent</Badge>}
        {job.agentId !== 'main' && <Badge>{job.agentId}</Badge>}
        <span className="ui-row page-card-tools">
          {running ? (
            <IconButton
              label={`Stop ${name}`}
              icon={<Square size={14} />}
              onClick={() => attempt(call('schedule.stop', { id }))}
            />
          ) : (
            <IconButton label={`Run ${name} now`} icon={<Play size={14} />} onClick={run} />
          )}
          <Menu align="end" trigger={<IconButton light label={`More for ${name}`} icon={<Ellipsis size={15} />} />}>
            <MenuItem icon={<Pencil size={14} />} onSelect={onEdit}>
              Edit
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => setRemoving(true)}>
              Remove…
            </MenuItem>
          </Menu>
          <Switch
            label={`${name} is on`}
            checked={job.enabled}
            onChange={(on) => attempt(call('schedule.pause', { id, paused: !on }))}
          />
        </span>
      </header>
      <p className="page-text schedule-text">{textOf(job.spec)}</p>
      <Waiting job={job} />
      <Times job={job} />
      <Fold label="History" of={name}>
        <JobHistory jobId={id} />
      </Fold>
      <Confirm
        open={removing}
        title={`Remove “${name}”?`}
        action="Remove"
        keep="Cancel"
        onClose={() => setRemoving(false)}
        onConfirm={() => attempt(call('schedule.remove', { id }))}
      >
        It will not run again. Sessions from past runs stay. To pause it instead, turn it off.
      </Confirm>
    </article>
  )
}

function Times({ job }: { job: ScheduledJob }) {
  const clock = useDeckhand((state) => state.clock)
  const now = useNow()
  const { nextRunAtMs, lastRunAtMs, lastStatus, lastError } = job.state
  return (
    <>
      <dl className="page-facts">
        <div>
          <dt>Runs</dt>
          <dd>{job.scheduleHuman}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd title={nextRunAtMs === undefined ? undefined : exactTime(nextRunAtMs)}>{nextWords(job, clock, now)}</dd>
        </div>
        <div>
          <dt>Last</dt>
          {lastRunAtMs === undefined || lastStatus === undefined ? (
            <dd>not yet</dd>
          ) : (
            <dd title={exactTime(lastRunAtMs)}>
              <span className="schedule-result" data-tone={resultOf(lastStatus).tone}>
                {resultOf(lastStatus).words}
              </span>{' '}
              {relativeTime(lastRunAtMs, now)}
            </dd>
          )}
        </div>
        <div>
          <dt>Answer</dt>
          <dd>{deliveryWords(job.spec)}</dd>
        </div>
      </dl>
      {lastStatus === 'error' && lastError && <p className="page-error">{lastError}</p>}
    </>
  )
}

/** Shows what the run waits for, with a link to it. */
function Waiting({ job }: { job: ScheduledJob }) {
  const question = useDeckhand((state) => {
    const { sessionId } = job
    const open = Object.values(state.questions).find(
      (entry) =>
        sessionId !== null && (entry.question.sessionId === sessionId || entry.question.ancestry.includes(sessionId)),
    )
    return open?.question
  })
  if (!job.waiting && !question) return null
  return (
    <div className="ui-row page-note" role="note">
      <span>{question ? `Waiting for you: ${question.command ?? question.title}` : 'Waiting for your answer.'}</span>
      {question && <Button onClick={() => focusQuestion(question.id)}>Answer</Button>}
    </div>
  )
}
