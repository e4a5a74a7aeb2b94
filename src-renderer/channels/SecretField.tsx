import { KeyRound } from 'lucide-react'
import { useId, useState } from 'react'
import { Copyable } from '../page/Copyable'
import { TextRow } from '../page/TextRow'
import { Button } from '../ui'
import { type ChannelDraft, freshKey, type SecretName } from './channel-draft'

interface SecretFieldProps {
  name: SecretName
  label: string
  hint: string
  draft: ChannelDraft
  /** Whether main has already stored one; it is never shown. */
  isStored: boolean
  error: string | undefined
  onChange: (part: Partial<ChannelDraft>) => void
}

/** A field for a secret: hidden while it is typed; a stored one is never shown. */
export function SecretField({ name, label, hint, draft, isStored, error, onChange }: SecretFieldProps) {
  const forgetId = useId()
  const [made, setMade] = useState('')
  const make = () => {
    const key = freshKey()
    setMade(key)
    onChange({ [name]: key, forget: { ...draft.forget, [name]: false } })
  }
  return (
    <TextRow
      label={label}
      mono
      type="password"
      autoComplete="off"
      hint={hint}
      error={error}
      placeholder={isStored ? 'Stored. Leave empty to keep it' : 'Paste it here'}
      value={draft[name]}
      disabled={draft.forget[name]}
      onChange={(value) => onChange({ [name]: value })}
    >
      {name === 'signingKey' && (
        <div className="ui-row page-inline">
          <Button kind="quiet" icon={<KeyRound size={13} />} onClick={make}>
            Generate
          </Button>
        </div>
      )}
      {made !== '' && draft[name] === made && (
        <>
          <Copyable text={made} what="the signing key" />
          <p className="page-caution">Copy it to the other side now. It is not shown again after you save.</p>
        </>
      )}
      {isStored && (
        <label className="ui-row page-inline" htmlFor={forgetId}>
          <input
            id={forgetId}
            type="checkbox"
            checked={draft.forget[name]}
            onChange={(event) => onChange({ [name]: '', forget: { ...draft.forget, [name]: event.target.checked } })}
          />
          Delete the stored one
        </label>
      )}
    </TextRow>
  )
}
