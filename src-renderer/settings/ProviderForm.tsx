import type { Provider, ProviderKind } from '../../src-preload/contract/models'
import { Form } from '../page/Form'
import { SelectRow } from '../page/SelectRow'
import { TextRow } from '../page/TextRow'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { Button } from '../ui'
import { KeyRows } from './KeyRows'
import { draftErrors, type ProviderDraft, toSave, toTest } from './provider-draft'

const KINDS: readonly { value: ProviderKind; label: string }[] = [
  { value: 'openai', label: 'OpenAI-compatible' },
  { value: 'anthropic', label: 'Anthropic' },
]

interface ProviderFormProps {
  start: ProviderDraft
  /** The provider that is changed; undefined for a new one. */
  stored: Provider | undefined
  onDone: () => void
}

/** Adds or changes a provider. It can be tested before it is saved. */
export function ProviderForm({ start, stored, onDone }: ProviderFormProps) {
  const form = useDraft(start, draftErrors)
  const { draft, report, change, field } = form

  const test = () =>
    form.attempt(
      'Connecting…',
      () => call('provider.test', toTest(draft)),
      ({ ok, message }) => ({ tone: ok ? 'good' : 'bad', words: message }),
    )
  const save = () => form.save(draft.name, () => call('provider.save', toSave(draft)), onDone)

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
      <TextRow label="Name" {...field('name')} />
      <SelectRow label="API type" value={draft.kind} options={KINDS} onChange={(kind) => change({ kind })} />
      <TextRow label="Base URL" mono inputMode="url" placeholder="https://api.openai.com/v1" {...field('baseUrl')} />
      <KeyRows draft={draft} field={field} stored={stored} change={change} />
    </Form>
  )
}
