import { type FormEvent, useId, useState } from 'react'
import type { ModelCorrection, ModelInfo } from '../../src-preload/contract/models'
import { call } from '../state/bridge'
import { getState } from '../state/store'
import { Button } from '../ui'

/** The window and the price of one model, as the user knows them. A field that is left empty goes by what is known. */
export function ModelCorrectionForm({ model, onClose }: { model: ModelInfo; onClose: () => void }) {
  const own = model.source
  const [window, setWindow] = useState(own.contextWindow === 'user' ? String(model.contextWindow) : '')
  const [input, setInput] = useState(own.price === 'user' ? String(model.price?.input ?? '') : '')
  const [output, setOutput] = useState(own.price === 'user' ? String(model.price?.output ?? '') : '')
  const [error, setError] = useState('')

  const save = (event: FormEvent) => {
    event.preventDefault()
    if ((input === '') !== (output === '')) {
      setError('Enter both prices, or neither.')
      return
    }
    const correction: ModelCorrection = {
      ...(window !== '' && { contextWindow: Number(window) }),
      ...(input !== '' && { price: { input: Number(input), output: Number(output) } }),
    }
    const { [model.id]: _, ...others } = getState().settings?.modelCorrections ?? {}
    const isEmpty = Object.keys(correction).length === 0
    call('settings.update', { modelCorrections: isEmpty ? others : { ...others, [model.id]: correction } }).then(
      onClose,
      (reason: Error) => setError(reason.message),
    )
  }

  return (
    <form className="settings-correction" onSubmit={save} aria-label={`Edit ${model.name}`}>
      <NumberField label="Context size (tokens)" value={window} onChange={setWindow} step="1" min="1000" />
      <NumberField label="Input price ($ per million)" value={input} onChange={setInput} />
      <NumberField label="Output price ($ per million)" value={output} onChange={setOutput} />
      <Button type="submit">Save</Button>
      {error && (
        <p className="settings-error" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  step?: string
  min?: string
}

function NumberField({ label, value, onChange, step = 'any', min = '0' }: NumberFieldProps) {
  const id = useId()
  return (
    <label htmlFor={id}>
      {label}
      <input
        id={id}
        type="number"
        inputMode="decimal"
        step={step}
        min={min}
        value={value}
        placeholder="default"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
