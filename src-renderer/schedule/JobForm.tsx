import { Fold } from '../page/Fold'
import { Form } from '../page/Form'
import { TextRow } from '../page/TextRow'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { draftErrors, type JobDraft, toAdd, toSchedule, toUpdate } from './job-draft'
import { LimitFields } from './LimitFields'
import { TaskFields } from './TaskFields'
import { WhenFields } from './WhenFields'

export function JobForm({ start, onDone }: { start: JobDraft; onDone: () => void }) {
  const form = useDraft(start, draftErrors)
  const { draft, errors, change, field } = form

  const save = () =>
    form.save(
      draft.name,
      async () => {
        if (draft.id !== undefined) return call('schedule.update', toUpdate(draft, start, draft.id))
        const schedule = toSchedule(draft)
        if (!schedule) throw new Error('Choose when it runs.')
        return call('schedule.add', toAdd(draft, schedule))
      },
      onDone,
    )

  return (
    <Form
      label={start.id === undefined ? 'New job' : `Edit ${start.name}`}
      report={form.report}
      onSubmit={save}
      onCancel={onDone}
    >
      <TextRow label="Name" {...field('name')} />
      <WhenFields draft={draft} start={start} errors={errors} onChange={change} />
      <TaskFields draft={draft} errors={errors} onChange={change} />
      <div className="page-form-wide">
        <Fold
          label="Limits: approvals, folder, time, cost"
          startOpen={Boolean(errors.timeoutMinutes ?? errors.answerMinutes ?? errors.maxCost)}
        >
          <LimitFields draft={draft} field={field} onChange={change} />
        </Fold>
      </div>
    </Form>
  )
}

export interface JobFieldsProps {
  draft: JobDraft
  errors: ReturnType<typeof draftErrors>
  onChange: (part: Partial<JobDraft>) => void
}
