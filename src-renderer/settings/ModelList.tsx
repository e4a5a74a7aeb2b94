import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { FactSource, ModelInfo, ModelPrice } from '../../src-preload/contract/models'
import { tokens } from '../state/format'
import { IconButton } from '../ui'
import { ModelCorrectionForm } from './ModelCorrectionForm'

const sources: Record<FactSource, string> = {
  user: 'set by you',
  server: 'from the server',
  table: 'published by its maker',
  unknown: '',
}

/** The models of a provider, with what is known about each and a form to correct it. */
export function ModelList({ models }: { models: ModelInfo[] }) {
  const [changing, setChanging] = useState<string | null>(null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className="settings-models" tabIndex={0} aria-label="Models">
      {models.map((model) => (
        <li key={model.id}>
          <code>{model.name}</code>
          <span title={sources[model.source.contextWindow]}>
            {model.contextWindow > 0 ? `${tokens(model.contextWindow)} context` : 'context size unknown'}
          </span>
          <span title={sources[model.source.price]}>{model.price ? priceWords(model.price) : 'price unknown'}</span>
          <IconButton
            label={`Edit ${model.name}`}
            icon={<Pencil size={12} />}
            onClick={() => setChanging(changing === model.id ? null : model.id)}
          />
          {changing === model.id && <ModelCorrectionForm model={model} onClose={() => setChanging(null)} />}
        </li>
      ))}
    </ul>
  )
}

const priceWords = ({ input, output, long }: ModelPrice): string =>
  `$${input} in, $${output} out per million tokens${long ? `; $${long.input}, $${long.output} above ${tokens(long.above)}` : ''}`
