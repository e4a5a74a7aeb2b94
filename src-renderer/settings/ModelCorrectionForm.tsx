import { type FormEvent, useId, useState } from 'react'
import type { ModelCorrection, ModelInfo } from '../../src-preload/contract/models'
import { call } from '../state/bridge'
import { getState } from '../state/store'
import { Button } from '../ui'

const RATES = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cached', 'Cache read'],
  ['cacheWrite', 'Cache write'],
] as const

type Rate = (typeof RATES)[number][0]

/** The context window and the price of a model, as the user knows them. An empty field keeps the known value. */
export function ModelCorrectionForm({ model, onClose }: { model: ModelInfo; onClose: () => void }) {
  const { source, price } = model
  const own = (rate: Rate): string => (source.price === 'user' ? String(price?.[rate] ?? '') : '')
  const [window, setWindow] = useState(source.contextWindow === 'user' ? String(model.contextWindow) : '')
  const [rates, setRates] = useState<Record<Rate, string>>({
    input: own('input'),
    output: own('output'),
    cached: own('cached'),
    cacheWrite: own('cacheWrite'),
  })
  const [error, setError] = useState('')

  const save = (event: FormEvent) => {
    event.preventDefault()
    const { input, output, cached, cacheWrite } = rates
    const isPriced = input !== '' && output !== ''
    if (!isPriced && RATES.some(([rate]) => rates[rate] !== '')) {
      setError('Enter the prices for input and output, or none.')
      return
    }
    const correction: ModelCorrection = {
      ...(window !== '' && { contextWindow: Number(window) }),
      ...(isPriced && {
        price: {
          input: Number(input),
          output: Number(output),
          ...(cached !== '' && { cached: Number(cached) }),
          ...(cacheWrite !== '' && { cacheWrite: Number(cacheWrite) }),
        },
      }),
    }
    const { [model.id]: _, ...others } = getState().settings?.modelCorrections ?? {}
    const isEmpty = Object.keys(correction).length === 0
    call('settings.update', { modelCorrections: isEmpty ? others : { ...others, [model.id]: correction } }).then(
      onClose,
      (reason: Error) => setError(reason.message),
    )
  }

  return (
    <form
      className="settings-correction"
      onSubmit={save}
      onChange={() => setError('')}
      aria-label={`Edit ${model.name}`}
    >
      <NumberField
        label="Context window, in tokens"
        value={window}
        known={model.contextWindow || undefined}
        onChange={setWindow}
        step="1"
        min="1000"
      />
      <fieldset>
        <legend>Dollars per million tokens</legend>
        {RATES.map(([rate, label]) => (
          <NumberField
            key={rate}
            label={label}
            value={rates[rate]}
            known={price?.[rate]}
            onChange={(value) => setRates({ ...rates, [rate]: value })}
          />
        ))}
      </fieldset>
      {error && (
        <p className="settings-error" role="alert">
          {error}
        </p>
      )}
      <div className="ui-row settings-correction-end">
        <Button type="submit">Save</Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <span>Leave a field empty to use what is known.</span>
      </div>
    </form>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  /** The value that is used while the field is empty. */
  known: number | undefined
  onChange: (value: string) => void
  step?: string
  min?: string
}

function NumberField({ label, value, known, onChange, step = 'any', min = '0' }: NumberFieldProps) {
  const id = useId()
  return (
    <label htmlFor={id}>
      {label}
      <input
        id={id}
        className="ui-input"
        type="number"
        inputMode="decimal"
        step={step}
        min={min}
        value={value}
        placeholder={known === undefined ? 'unknown' : String(known)}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
