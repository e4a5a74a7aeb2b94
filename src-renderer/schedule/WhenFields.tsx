import { useEffect, useId, useState } from 'react'
import { Choice } from '../page/Choice'
import { described, FieldError } from '../page/FormRow'
import { call } from '../state/bridge'
import { Select } from '../ui/Select'
import type { JobFieldsProps } from './JobForm'
import { type JobDraft, toSchedule, type Unit, type When } from './job-draft'
import { timeList } from './schedule-words'

const KINDS: readonly { value: When; label: string }[] = [
  { value: 'at', label: 'Once' },
  { value: 'every', label: 'Every' },
  { value: 'cron', label: 'Cron' },
]

const UNITS: readonly { value: Unit; label: string }[] = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
]

/** When the job runs, with the engine's reading of it below. */
export function WhenFields({ draft, start, errors, onChange }: JobFieldsProps & { start: JobDraft }) {
  return (
    <>
      <span className="page-form-label">When</span>
      <div className="ui-column schedule-when">
        <Choice label="When" value={draft.when} options={KINDS} onChange={(when) => onChange({ when })} />
        {draft.when === 'at' && <At draft={draft} errors={errors} onChange={onChange} />}
        {draft.when === 'every' && <Every draft={draft} errors={errors} onChange={onChange} />}
        {draft.when === 'cron' && <Cron draft={draft} errors={errors} onChange={onChange} />}
        <Preview draft={draft} start={start} />
      </div>
    </>
  )
}

function At({ draft, errors, onChange }: JobFieldsProps) {
  const id = useId()
  const removeId = useId()
  return (
    <>
      <input
        className="ui-input"
        aria-label="Time"
        placeholder="tomorrow at 9, in 20 minutes, 2026-12-01 18:30"
        value={draft.at}
        onChange={(event) => onChange({ at: event.target.value })}
        {...described(id, errors.at)}
      />
      <FieldError id={id} error={errors.at} />
      <label className="ui-row page-inline" htmlFor={removeId}>
        <input
          id={removeId}
          type="checkbox"
          checked={draft.removeAfter}
          onChange={(event) => onChange({ removeAfter: event.target.checked })}
        />
        Remove the job after it runs
      </label>
    </>
  )
}

function Every({ draft, errors, onChange }: JobFieldsProps) {
  const id = useId()
  return (
    <>
      <div className="ui-row page-inline">
        <input
          className="ui-input page-short"
          aria-label="How many"
          inputMode="decimal"
          value={draft.every}
          onChange={(event) => onChange({ every: event.target.value })}
          {...described(id, errors.every)}
        />
        <Select label="Unit" value={draft.unit} options={UNITS} onChange={(unit) => onChange({ unit })} />
        <input
          className="ui-input"
          aria-label="Starting from"
          placeholder="starting now"
          value={draft.anchor}
          onChange={(event) => onChange({ anchor: event.target.value })}
        />
      </div>
      <FieldError id={id} error={errors.every} />
    </>
  )
}

function Cron({ draft, errors, onChange }: JobFieldsProps) {
  const id = useId()
  const zones = useId()
  return (
    <>
      <div className="ui-row page-inline">
        <input
          className="ui-input page-mono"
          aria-label="Cron expression"
          placeholder="0 9 * * 1-5"
          spellCheck={false}
          value={draft.expr}
          onChange={(event) => onChange({ expr: event.target.value })}
          {...described(id, errors.expr)}
        />
        <input
          className="ui-input"
          aria-label="Time zone"
          list={zones}
          spellCheck={false}
          value={draft.tz}
          onChange={(event) => onChange({ tz: event.target.value })}
        />
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <p className="page-hint">Minute, hour, day of month, month, day of week.</p>
      <FieldError id={id} error={errors.expr} />
    </>
  )
}

type Reading = { human: string; next: number[]; problem: string | null } | null

/** How the engine reads the schedule, so that a mistake shows before it is saved. */
function Preview({ draft, start }: { draft: JobDraft; start: JobDraft }) {
  const wish = JSON.stringify(toSchedule(draft))
  const unchanged = draft.id !== undefined && wish === JSON.stringify(toSchedule(start))
  const [reading, setReading] = useState<Reading>(null)
  useEffect(() => {
    const schedule: ReturnType<typeof toSchedule> = JSON.parse(wish)
    setReading(null)
    // A one-time run that was set earlier may be in the past by now, which is not a mistake.
    if (!schedule || (unchanged && schedule.kind === 'at')) return
    let current = true
    const timer = setTimeout(() => {
      call('schedule.preview', { schedule }).then(
        (answer) => current && setReading(answer),
        (error: Error) => current && setReading({ human: '', next: [], problem: error.message }),
      )
    }, 250)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [wish, unchanged])
  return (
    <output className="schedule-preview" data-wrong={reading?.problem ? true : undefined}>
      {reading?.problem ?? (reading ? `${capital(reading.human)}. Next: ${timeList(reading.next.slice(0, 3))}.` : '')}
    </output>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
