import { useId } from 'react'
import { FormRow } from '../page/FormRow'
import { NumberRow } from '../page/NumberRow'
import { SelectRow } from '../page/SelectRow'
import type { FieldOf } from '../page/use-draft'
import { call } from '../state/bridge'
import { modes } from '../state/modes'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import type { JobFieldsProps } from './JobForm'
import type { JobDraft } from './job-draft'

const MODES: readonly { value: JobDraft['mode']; label: string; hint?: string }[] = [
  { value: 'usual', label: 'Same as new sessions', hint: 'Except “Allow everything”' },
  ...modes,
]

/** What the job may do while nobody watches, and for how long. */
export function LimitFields({ draft, field, onChange }: Omit<JobFieldsProps, 'errors'> & { field: FieldOf<JobDraft> }) {
  const folderId = useId()
  const choose = () =>
    attempt(
      call('app.chooseFolder', draft.workspace ? { start: draft.workspace } : {}).then((folder) => {
        if (folder) onChange({ workspace: folder })
      }),
    )
  return (
    <>
      <SelectRow
        label="Approvals"
        error={draft.mode === 'all' ? 'Runs nearly every command without asking, unattended.' : undefined}
        value={draft.mode}
        options={MODES}
        onChange={(mode) => onChange({ mode })}
      />
      <NumberRow
        label="Waits"
        unit="minutes for your answer"
        placeholder="default"
        hint="After that, the question is denied."
        {...field('answerMinutes')}
      />
      {draft.what === 'task' && (
        <>
          <NumberRow
            label="Cost limit"
            unit="dollars for each run"
            placeholder="none"
            hint="Before a request that could cost more, the run waits for your answer in the inbox."
            {...field('maxCost')}
          />
          <NumberRow label="Time limit" unit="minutes" placeholder="default" {...field('timeoutMinutes')} />
          <FormRow id={folderId} label="Folder">
            <div className="ui-row page-inline schedule-folder">
              <input
                id={folderId}
                className="ui-input page-mono"
                placeholder="default workspace"
                spellCheck={false}
                value={draft.workspace}
                onChange={(event) => onChange({ workspace: event.target.value })}
              />
              <Button onClick={choose}>Choose…</Button>
            </div>
          </FormRow>
        </>
      )}
    </>
  )
}
