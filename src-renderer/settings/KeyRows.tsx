import { type ReactNode, useId } from 'react'
import type { Provider } from '../../src-preload/contract/models'
import { SelectRow } from '../page/SelectRow'
import { TextRow } from '../page/TextRow'
import type { FieldOf } from '../page/use-draft'
import { draftWarning, isLocal, type KeyFrom, type ProviderDraft } from './provider-draft'

const SOURCES: readonly { value: KeyFrom; label: string; hint: string }[] = [
  { value: 'entered', label: 'Enter a key', hint: 'Kept in the keychain, if there is one' },
  { value: 'environment', label: 'Environment variable', hint: 'Read each time; never stored' },
  { value: 'command', label: 'Command', hint: 'Such as pass show openai; its output is never stored' },
]

interface KeyRowsProps {
  draft: ProviderDraft
  field: FieldOf<ProviderDraft>
  stored: Provider | undefined
  change: (patch: Partial<ProviderDraft>) => void
}

/** The key of a provider: entered here, or read from elsewhere each time it is needed. */
export function KeyRows({ draft, field, stored, change }: KeyRowsProps) {
  const warning = draftWarning(draft, stored)
  const caution = warning && <p className="page-caution">{warning}</p>
  return (
    <>
      <SelectRow
        label="Credentials"
        value={draft.keyFrom}
        options={SOURCES}
        onChange={(keyFrom) => change({ keyFrom })}
      />
      {draft.keyFrom === 'entered' && (
        <EnteredKey draft={draft} field={field} stored={stored} change={change}>
          {caution}
        </EnteredKey>
      )}
      {draft.keyFrom === 'environment' && (
        <TextRow label="Variable" mono placeholder="OPENAI_API_KEY" {...field('variable')}>
          {caution}
        </TextRow>
      )}
      {draft.keyFrom === 'command' && (
        <TextRow label="Command" mono placeholder="pass show openai" {...field('command')}>
          {caution}
          <p className="page-hint">
            The first line it prints is the key. It runs in your shell, at most every 5 minutes.
          </p>
        </TextRow>
      )}
    </>
  )
}

function EnteredKey({ draft, field, stored, change, children }: KeyRowsProps & { children: ReactNode }) {
  const forgetId = useId()
  const hasStored = stored?.hasKey === true && stored.keySource === undefined
  return (
    <TextRow
      label="Key"
      mono
      type="password"
      autoComplete="off"
      placeholder={keyHint(draft, hasStored)}
      {...field('key')}
      disabled={draft.forgetKey}
    >
      {children}
      {hasStored && (
        <label className="ui-row page-inline" htmlFor={forgetId}>
          <input
            id={forgetId}
            type="checkbox"
            checked={draft.forgetKey}
            onChange={(event) => change({ forgetKey: event.target.checked, key: '' })}
          />
          Delete the stored key
        </label>
      )}
    </TextRow>
  )
}

function keyHint(draft: ProviderDraft, hasStored: boolean): string {
  if (hasStored) return 'Stored. Leave empty to keep it'
  return isLocal(draft.baseUrl.trim()) ? 'Usually not needed for a local server' : 'Paste the key'
}
