import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Fold } from '../page/Fold'
import { described, FormRow } from '../page/FormRow'
import { Report, type ReportState } from '../page/Report'
import { announce } from '../state/actions'
import { call } from '../state/bridge'
import { Button } from '../ui'
import { draftErrors, type JobDraft, toAdd, toSchedule, toUpdate } from './job-draft'
import { LimitFields } from './LimitFields'
import { TaskFields } from './TaskFields'
import { WhenFields } from './WhenFields'

/** A job to add or change. */
export function JobForm({ start, onDone }: { start: JobDraft; onDone: () => void }) {
  const nameId = useId()
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<ReportState>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input.ui-input, textarea') ?? [])]
    ;(fields.find((field) => field.value === '') ?? fields[0])?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const errors = checked ? draftErrors(draft) : {}
  const change = (part: Partial<JobDraft>) => {
    setDraft({ ...draft, ...part })
    setReport(null)
  }

  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const schedule = toSchedule(draft)
    if (!schedule || Object.keys(draftErrors(draft)).length > 0) return
    setReport({ tone: 'busy', words: 'Saving…' })
    const saved =
      draft.id === undefined
        ? call('schedule.add', toAdd(draft, schedule))
        : call('schedule.update', toUpdate(draft, start, draft.id))
    saved.then(
      () => {
        announce(`${draft.name} is saved`)
        onDone()
      },
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }

  return (
    <form
      ref={form}
      className="page-form"
      aria-label={start.id === undefined ? 'New job' : `Change ${start.name}`}
      onSubmit={save}
      noValidate
    >
      <FormRow id={nameId} label="Name" error={errors.name}>
        <input
          className="ui-input"
          maxLength={200}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          {...described(nameId, errors.name)}
        />
      </FormRow>
      <WhenFields draft={draft} start={start} errors={errors} onChange={change} />
      <TaskFields draft={draft} errors={errors} onChange={change} />
      <div className="page-form-wide">
        <Fold
          label="Limits: approvals, folder, time"
          startOpen={Boolean(errors.timeoutMinutes ?? errors.answerMinutes)}
        >
          <LimitFields draft={draft} errors={errors} onChange={change} />
        </Fold>
      </div>
      <div className="page-form-foot">
        <Button kind="primary" type="submit" disabled={report?.tone === 'busy'}>
          Save
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Report report={report} />
      </div>
    </form>
  )
}

export interface JobFieldsProps {
  draft: JobDraft
  errors: ReturnType<typeof draftErrors>
  onChange: (part: Partial<JobDraft>) => void
}
