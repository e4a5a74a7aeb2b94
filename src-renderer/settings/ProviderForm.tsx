import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { Provider, ProviderKind } from '../../src-preload/contract/protocol'
import { announce } from '../state/actions'
import { call } from '../state/bridge'
import { applyEvents } from '../state/store'
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

type Report = { tone: 'busy' | 'good' | 'bad'; words: string } | null

/** A provider to add or change. It can be tried before it is kept. */
export function ProviderForm({ start, stored, onDone }: ProviderFormProps) {
  const ids = { name: useId(), kind: useId(), baseUrl: useId(), key: useId(), forget: useId() }
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<Report>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])') ?? [])]
    const first = fields.find((field) => field.value === '') ?? fields[0]
    first?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const errors = checked ? draftErrors(draft) : {}
  const warning = draftWarning(draft, stored)
  const change = (part: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...part })
    setReport(null)
  }
  const isReady = () => {
    setChecked(true)
    return Object.keys(draftErrors(draft)).length === 0
  }

  const tryIt = () => {
    if (!isReady()) return
    setReport({ tone: 'busy', words: 'Connecting…' })
    call('provider.test', toTest(draft)).then(
      ({ ok, message }) => setReport({ tone: ok ? 'good' : 'bad', words: message }),
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady()) return
    setReport({ tone: 'busy', words: 'Saving…' })
    call('provider.save', toSave(draft)).then(
      (providers) => {
        applyEvents([{ type: 'providers', providers }])
        announce(`${draft.name} is saved`)
        onDone()
      },
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }
  const describe = (field: 'name' | 'baseUrl' | 'key') =>
    errors[field] ? { 'aria-invalid': true, 'aria-describedby': `${ids[field]}-error` } : {}
  const problem = (field: 'name' | 'baseUrl' | 'key') =>
    errors[field] && (
      <p className="settings-error" id={`${ids[field]}-error`}>
        {errors[field]}
      </p>
    )

  return (
    <form
      ref={form}
      className="settings-form"
      aria-label={stored ? `Change ${stored.name}` : 'New provider'}
      onSubmit={save}
      noValidate
    >
      <label htmlFor={ids.name}>Name</label>
      <div>
        <input
          id={ids.name}
          className="ui-input"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          {...describe('name')}
        />
        {problem('name')}
      </div>
      <label htmlFor={ids.kind}>Speaks</label>
      <div>
        <Select id={ids.kind} value={draft.kind} options={KINDS} onChange={(kind) => change({ kind })} />
      </div>
      <label htmlFor={ids.baseUrl}>Address</label>
      <div>
        <input
          id={ids.baseUrl}
          className="ui-input settings-mono"
          inputMode="url"
          spellCheck={false}
          placeholder="https://api.openai.com/v1"
          value={draft.baseUrl}
          onChange={(event) => change({ baseUrl: event.target.value })}
          {...describe('baseUrl')}
        />
        {problem('baseUrl')}
      </div>
      <label htmlFor={ids.key}>Key</label>
      <div>
        <input
          id={ids.key}
          className="ui-input settings-mono"
          type="password"
          autoComplete="off"
          placeholder={keyHint(draft, stored)}
          value={draft.key}
          disabled={draft.forgetKey}
          onChange={(event) => change({ key: event.target.value })}
          {...describe('key')}
        />
        {problem('key')}
        {warning && <p className="settings-caution">{warning}</p>}
        {stored?.hasKey && (
          <label className="settings-forget" htmlFor={ids.forget}>
            <input
              id={ids.forget}
              type="checkbox"
              checked={draft.forgetKey}
              onChange={(event) => change({ forgetKey: event.target.checked, key: '' })}
            />
            Forget the stored key
          </label>
        )}
      </div>
      <div className="settings-form-foot">
        <Button kind="primary" type="submit" disabled={report?.tone === 'busy'}>
          Save
        </Button>
        <Button onClick={tryIt} disabled={report?.tone === 'busy'}>
          Test connection
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <output className="settings-report" data-tone={report?.tone}>
          {report?.words}
        </output>
      </div>
    </form>
  )
}

function keyHint(draft: ProviderDraft, stored: Provider | undefined): string {
  if (stored?.hasKey) return 'Stored; leave empty to keep it'
  return isLocal(draft.baseUrl.trim()) ? 'Usually not needed on your own machine' : 'Paste the key'
}
