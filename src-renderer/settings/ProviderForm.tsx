import { useId } from 'react'
import type { Provider, ProviderKind } from '../../src-preload/contract/models'
import { Form } from '../page/Form'
import { FormRow } from '../page/FormRow'
import { TextRow } from '../page/TextRow'
import { useDraft } from '../page/use-draft'
import { announce } from '../state/actions'
import { call } from '../state/bridge'
import { Button, Select } from '../ui'
import { draftErrors, draftWarning, isLocal, type ProviderDraft, toSave, toTest } from './provider-draft'

const KINDS: readonly { value: ProviderKind; label: string }[] = [
  { value: 'openai', label: 'OpenAI-compatible' },
  { value: 'anthropic', label: 'Anthropic' },
]

interface ProviderFormProps {
  start: ProviderDraft
  /** The provider that is being changed, if it is not a new one. */
  stored: Provider | undefined
  onDone: () => void
}

/** A provider to add or change. It can be tried before it is kept. */
export function ProviderForm({ start, stored, onDone }: ProviderFormProps) {
  const ids = { kind: useId(), forget: useId() }
  const form = useDraft(start, draftErrors)
  const { draft, errors, report, change } = form
  const warning = draftWarning(draft, stored)

  const test = () =>
    form.attempt(
      'Connecting…',
      () => call('provider.test', toTest(draft)),
      ({ ok, message }) => ({ tone: ok ? 'good' : 'bad', words: message }),
    )
  const save = () =>
    form.attempt(
      'Saving…',
      () => call('provider.save', toSave(draft)),
      () => {
        announce(`Saved ${draft.name}`)
        onDone()
        return null
      },
    )

  return (
    <Form
      label={stored ? `Edit ${stored.name}` : 'New provider'}
      report={report}
      actions={
        <Button onClick={test} disabled={report?.tone === 'busy'}>
          Test connection
        </Button>
      }
      onSubmit={save}
      onCancel={onDone}
    >
      <TextRow label="Name" error={errors.name} value={draft.name} onChange={(name) => change({ name })} />
      <FormRow id={ids.kind} label="API type">
        <Select id={ids.kind} value={draft.kind} options={KINDS} onChange={(kind) => change({ kind })} />
      </FormRow>
      <TextRow
        label="Base URL"
        mono
        inputMode="url"
        placeholder="https://api.openai.com/v1"
        error={errors.baseUrl}
        value={draft.baseUrl}
        onChange={(baseUrl) => change({ baseUrl })}
      />
      <TextRow
        label="Key"
        mono
        type="password"
        autoComplete="off"
        placeholder={keyHint(draft, stored)}
        error={errors.key}
        value={draft.key}
        disabled={draft.forgetKey}
        onChange={(key) => change({ key })}
      >
        {warning && <p className="page-caution">{warning}</p>}
        {stored?.hasKey && (
          <label className="page-inline" htmlFor={ids.forget}>
            <input
              id={ids.forget}
              type="checkbox"
              checked={draft.forgetKey}
              onChange={(event) => change({ forgetKey: event.target.checked, key: '' })}
            />
            Delete the stored key
          </label>
        )}
      </TextRow>
    </Form>
  )
}

function keyHint(draft: ProviderDraft, stored: Provider | undefined): string {
  if (stored?.hasKey) return 'Stored. Leave empty to keep it'
  return isLocal(draft.baseUrl.trim()) ? 'Usually not needed for a local server' : 'Paste the key'
}
