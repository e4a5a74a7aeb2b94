import { useEffect, useId } from 'react'
import { AgentRow } from '../page/AgentRow'
import { Choice } from '../page/Choice'
import { described, FieldError, FormRow } from '../page/FormRow'
import { SelectRow } from '../page/SelectRow'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Select } from '../ui/Select'
import type { JobFieldsProps } from './JobForm'
import type { JobDraft, Thinking } from './job-draft'

const KINDS: readonly { value: JobDraft['what']; label: string }[] = [
  { value: 'task', label: 'Task in a new session' },
  { value: 'systemEvent', label: 'Message to the main session' },
]

const THINKING: readonly { value: Thinking; label: string }[] = [
  { value: 'usual', label: 'Default' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]

/** Stands for no choice, since a list cannot contain an empty value. */
const USUAL = 'usual'
const NOWHERE = 'nowhere'

/** What the job does, with which model, and where its answer goes. */
export function TaskFields({ draft, errors, onChange }: JobFieldsProps) {
  const textId = useId()
  useEffect(() => {
    attempt(load('channel.list', {}))
  }, [])
  const task = draft.what === 'task'
  return (
    <>
      <span className="page-form-label">What</span>
      <div className="ui-column schedule-when">
        <Choice label="What" value={draft.what} options={KINDS} onChange={(what) => onChange({ what })} />
        <textarea
          className="page-textarea"
          aria-label={task ? 'Task' : 'Message'}
          placeholder={task ? 'What to do, and what the answer should include' : 'What to tell the agent'}
          value={draft.text}
          onChange={(event) => onChange({ text: event.target.value })}
          {...described(textId, errors.text)}
        />
        <FieldError id={textId} error={errors.text} />
      </div>
      {draft.id === undefined && (
        <AgentRow label="Agent" value={draft.agentId} onChange={(agentId) => onChange({ agentId })} />
      )}
      {task && (
        <>
          <ModelRow draft={draft} onChange={onChange} />
          <SelectRow
            label="Thinking"
            value={draft.thinking}
            options={THINKING}
            onChange={(thinking) => onChange({ thinking })}
          />
          <DeliveryRow draft={draft} onChange={onChange} />
        </>
      )}
    </>
  )
}

type RowProps = Pick<JobFieldsProps, 'draft' | 'onChange'>

function ModelRow({ draft, onChange }: RowProps) {
  const providers = useDeckhand((state) => state.providers)
  const options = [
    { value: USUAL, label: 'Same as new sessions' },
    ...providers.flatMap((provider) =>
      provider.models.map((model) => ({ value: model.id, label: model.name, hint: provider.name })),
    ),
  ]
  if (draft.model && !options.some((option) => option.value === draft.model))
    options.push({ value: draft.model, label: draft.model, hint: 'Not available now' })
  return (
    <SelectRow
      label="Model"
      value={draft.model || USUAL}
      options={options}
      onChange={(model) => onChange({ model: model === USUAL ? '' : model })}
    />
  )
}

function DeliveryRow({ draft, onChange }: RowProps) {
  const id = useId()
  const channels = useDeckhand((state) => state.channels?.channels)
  const names = [...new Set(['app', ...(channels ?? []).map((entry) => entry.channel), draft.channel])]
  const usual = channels?.find((entry) => entry.channel === draft.channel)?.defaultTo
  const options = [
    { value: NOWHERE, label: 'Keep in its session' },
    ...names.map((name) => ({ value: name, label: name === 'app' ? 'This app' : name })),
  ]
  return (
    <FormRow id={id} label="Deliver to" hint="Where the answer goes when the task is done.">
      <div className="ui-row page-inline">
        <Select
          id={id}
          value={draft.deliver ? draft.channel : NOWHERE}
          options={options}
          onChange={(channel) =>
            channel === NOWHERE ? onChange({ deliver: false }) : onChange({ deliver: true, channel })
          }
        />
        {draft.deliver && draft.channel !== 'app' && (
          <input
            className="ui-input"
            aria-label="Recipient"
            placeholder={usual ? `to ${usual}` : 'recipient'}
            spellCheck={false}
            value={draft.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        )}
      </div>
    </FormRow>
  )
}
