import './schedule.css'
import { CalendarClock, CirclePause, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ScheduledJob } from '../../src-preload/contract/schedule'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, Empty } from '../ui'
import { JobCard } from './JobCard'
import { JobForm } from './JobForm'
import { draftFromJob, examples, type JobDraft, newDraft } from './job-draft'
import { sortedJobs } from './schedule-words'

const readJobs = () => load('schedule.list', {})

const pauseAll = (paused: boolean) => attempt(call('schedule.pause', { paused }))

/** The scheduled jobs: when they run next, how they went, and what waits for an answer. */
export function SchedulePage() {
  const jobs = useDeckhand((state) => state.jobs)
  const clock = useDeckhand((state) => state.clock)
  const asked = useAsk(readJobs)
  const [draft, setDraft] = useState<JobDraft | null>(null)
  const zone = clock?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const start = (change: Partial<JobDraft> = {}) => setDraft(newDraft(zone, change))
  const edit = (job: ScheduledJob) => setDraft(draftFromJob(job, zone))
  const full = jobs !== null && clock !== null && jobs.length >= clock.maxJobs

  return (
    <Page
      title="Schedule"
      hint="Jobs that run by themselves. Anything that needs your approval waits in the inbox."
      actions={
        <>
          {jobs && jobs.length > 0 && clock?.enabled && (
            <Button icon={<CirclePause size={14} />} onClick={() => pauseAll(true)}>
              Pause all
            </Button>
          )}
          <Button
            kind="primary"
            icon={<Plus size={14} />}
            disabled={full || (draft !== null && draft.id === undefined)}
            title={full ? `You can have up to ${clock.maxJobs} jobs. Remove one first.` : undefined}
            onClick={() => start()}
          >
            New job
          </Button>
        </>
      }
    >
      <Loaded asked={asked} ready={jobs !== null} what="The jobs">
        {clock && !clock.enabled && (
          <div className="ui-row page-note" role="status">
            <CirclePause size={15} aria-hidden />
            <span>The schedule is paused. You can still start jobs by hand.</span>
            <Button onClick={() => pauseAll(false)}>Resume</Button>
          </div>
        )}
        {draft && draft.id === undefined && <JobForm key={draft.name} start={draft} onDone={() => setDraft(null)} />}
        {jobs?.length === 0 && !draft && (
          <Empty icon={<CalendarClock size={28} />} title="No scheduled jobs">
            <p>
              A job runs a task in a new session, or sends a message to the main one: once, at intervals, or by a cron
              expression. You can also ask the agent in a chat to schedule something.
            </p>
            <div className="page-empty-actions">
              {examples.map((example) => (
                <Button key={example.label} onClick={() => start(example.draft)}>
                  {example.label}
                </Button>
              ))}
            </div>
          </Empty>
        )}
        <ul className="ui-column page-list" aria-label="Jobs">
          {sortedJobs(jobs ?? []).map((job) => (
            <li key={job.id}>
              {draft?.id === job.id ? (
                <JobForm start={draft} onDone={() => setDraft(null)} />
              ) : (
                <JobCard job={job} onEdit={() => edit(job)} />
              )}
            </li>
          ))}
        </ul>
      </Loaded>
    </Page>
  )
}
