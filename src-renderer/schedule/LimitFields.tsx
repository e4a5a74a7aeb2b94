import { useId } from 'react'
import { described, FormRow } from '../page/FormRow'
import { call } from '../state/bridge'
import { modes } from '../state/modes'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { Select } from '../ui/Select'
import type { JobFieldsProps } from './JobForm'
import type { JobDraft } from './job-draft'

const MODES: readonly { value: JobDraft['mode']; label: string; hint?: string }[] = [
  { value: 'usual', label: 'Same as new sessions', hint: 'Except “Allow everything”' },
  ...modes,
]

/** How much the job may do while nobody looks, and for how long. */
export function LimitFields({ draft, errors, onChange }: JobFieldsProps) {
  const ids = { mode: useId(), workspace: useId(), answer: useId(), timeout: useId(), cost: useId() }
  const choose = () =>
    attempt(
      call('app.chooseFolder', draft.workspace ? { start: draft.workspace } : {}).then((folder) => {
        if (folder) onChange({ workspace: folder })
      }),
    )
  return (
    <>
      <FormRow
        id={ids.mode}
        label="Approvals"
        error={draft.mode === 'all' ? 'Runs nearly every command without asking, unattended.' : undefined}
      >
        <Select id={ids.mode} value={draft.mode} options={MODES} onChange={(mode) => onChange({ mode })} />
      </FormRow>
      <FormRow id={ids.answer} label="Waits" error={errors.answerMinutes} hint="After that, the question is denied.">
        <div className="page-inline">
          <input
            className="ui-input page-short"
            inputMode="decimal"
            placeholder="default"
            value={draft.answerMinutes}
            onChange={(event) => onChange({ answerMinutes: event.target.value })}
            {...described(ids.answer, errors.answerMinutes, true)}
          />
          <span>minutes for your answer</span>
        </div>
      </FormRow>
      {draft.what === 'task' && (
        <>
          <FormRow
            id={ids.cost}
            label="Cost limit"
            error={errors.maxCost}
            hint="Before a request that could cost more, the run waits for your answer in the inbox."
          >
            <div className="page-inline">
              <input
                className="ui-input page-short"
                inputMode="decimal"
                placeholder="none"
                value={draft.maxCost}
                onChange={(event) => onChange({ maxCost: event.target.value })}
                {...described(ids.cost, errors.maxCost, true)}
              />
              <span>dollars for each run</span>
            </div>
          </FormRow>
          <FormRow id={ids.timeout} label="Time limit" error={errors.timeoutMinutes}>
            <div className="page-inline">
              <input
                className="ui-input page-short"
                inputMode="decimal"
                placeholder="default"
                value={draft.timeoutMinutes}
                onChange={(event) => onChange({ timeoutMinutes: event.target.value })}
                {...described(ids.timeout, errors.timeoutMinutes)}
              />
              <span>minutes</span>
            </div>
          </FormRow>
          <FormRow id={ids.workspace} label="Folder">
            <div className="page-inline schedule-folder">
              <input
                id={ids.workspace}
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
