import { useId } from 'react'
import { described, FormRow } from '../page/FormRow'
import type { ChannelDraft, SecretName } from './channel-draft'

interface SecretFieldProps {
  name: SecretName
  label: string
  hint: string
  draft: ChannelDraft
  /** Main keeps one already; it is never shown. */
  isStored: boolean
  error: string | undefined
  onChange: (part: Partial<ChannelDraft>) => void
}

/** Something that nobody should read over a shoulder, and that never comes back out. */
export function SecretField({ name, label, hint, draft, isStored, error, onChange }: SecretFieldProps) {
  const id = useId()
  const forgetId = useId()
  return (
    <FormRow id={id} label={label} error={error} hint={hint}>
      <input
        className="ui-input page-mono"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={isStored ? 'Stored; leave empty to keep it' : 'Paste it here'}
        value={draft[name]}
        disabled={draft.forget[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
        {...described(id, error, true)}
      />
      {isStored && (
        <label className="page-inline" htmlFor={forgetId}>
          <input
            id={forgetId}
            type="checkbox"
            checked={draft.forget[name]}
            onChange={(event) => onChange({ [name]: '', forget: { ...draft.forget, [name]: event.target.checked } })}
          />
          Forget the stored one
        </label>
      )}
    </FormRow>
  )
}
