import { useId } from 'react'
import type { FormField } from '../../src-preload/contract/form'
import { described, FieldError } from '../page/FormRow'
import { Switch } from '../ui'
import { Select } from '../ui/Select'

type Value = string | boolean | string[]

interface AskFieldProps {
  field: FormField
  value: Value
  error: string | undefined
  onChange: (value: Value) => void
}

/** One field of a question that a program asks. */
export function AskField({ field, value, error, onChange }: AskFieldProps) {
  const id = useId()
  const several = field.kind === 'some'
  const Name = several ? 'span' : 'label'
  return (
    <div className="ask-field">
      <Name {...(several ? { id: `${id}-name` } : { htmlFor: id })}>
        {field.label}
        {!field.required && field.kind !== 'yes-no' && <span className="ui-quiet"> optional</span>}
      </Name>
      <div>
        <Control id={id} field={field} value={value} error={error} onChange={onChange} />
        <FieldError id={id} error={error} />
        {field.hint && (
          <p className="page-hint" id={`${id}-hint`}>
            {field.hint}
          </p>
        )}
      </div>
    </div>
  )
}

function Control({ id, field, value, error, onChange }: AskFieldProps & { id: string }) {
  switch (field.kind) {
    case 'yes-no':
      return <Switch id={id} checked={value === true} onChange={onChange} />
    case 'one':
      return <Select id={id} value={String(value)} options={field.options} onChange={onChange} />
    case 'some': {
      const chosen = Array.isArray(value) ? value : []
      const toggle = (option: string, on: boolean) =>
        onChange(on ? [...chosen, option] : chosen.filter((each) => each !== option))
      return (
        <fieldset className="ask-some" aria-labelledby={`${id}-name`}>
          {field.options.map((option) => (
            <label key={option.value}>
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={(event) => toggle(option.value, event.target.checked)}
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      )
    }
    default:
      return (
        <input
          className="ui-input"
          type={field.kind === 'text' && field.format === 'date' ? 'date' : 'text'}
          inputMode={field.kind === 'number' ? 'decimal' : 'text'}
          autoComplete="off"
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
          {...described(id, error, field.hint !== undefined)}
        />
      )
  }
}
