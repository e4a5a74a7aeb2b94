import { KeyRound } from 'lucide-react'
import { useId, useState } from 'react'
import { Copyable } from '../page/Copyable'
import { described, FormRow } from '../page/FormRow'
import { Button } from '../ui'
import { type ChannelDraft, freshKey, type SecretName } from './channel-draft'

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
  const [made, setMade] = useState('')
  const make = () => {
    const key = freshKey()
    setMade(key)
    onChange({ [name]: key, forget: { ...draft.forget, [name]: false } })
  }
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
      {name === 'signingKey' && (
        <div className="page-inline">
          <Button kind="quiet" icon={<KeyRound size={13} />} onClick={make}>
            Make one
          </Button>
        </div>
      )}
      {made !== '' && draft[name] === made && (
        <>
          <Copyable text={made} what="the signing key" />
          <p className="page-caution">Copy it to the other side now: once it is saved, it is not shown again.</p>
        </>
      )}
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
