import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ModelInfo, Provider } from '../../src-preload/contract/models'
import { call } from '../state/bridge'
import { count, tokens } from '../state/format'
import { applyEvents } from '../state/store'
import { Badge, Button, Dialog, IconButton } from '../ui'

/** A provider that is set up or was found, with its models. */
export function ProviderRow({ provider, onEdit }: { provider: Provider; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  const run = (name: 'provider.refresh' | 'provider.remove') => {
    setBusy(true)
    setError('')
    call(name, { id: provider.id })
      .then(
        (providers) => applyEvents([{ type: 'providers', providers }]),
        (reason: Error) => setError(reason.message),
      )
      .finally(() => setBusy(false))
  }

  return (
    <div className="settings-provider">
      <div className="settings-provider-head">
        <h3>{provider.name}</h3>
        {provider.detected && <Badge tone="good">found on this machine</Badge>}
        <span className="settings-spacer" />
        <IconButton
          label={`Read the models of ${provider.name} again`}
          icon={<RefreshCw size={14} />}
          disabled={busy}
          onClick={() => run('provider.refresh')}
        />
        {!provider.detected && (
          <>
            <IconButton label={`Change ${provider.name}`} icon={<Pencil size={14} />} onClick={onEdit} />
            <IconButton
              label={`Remove ${provider.name}`}
              icon={<Trash2 size={14} />}
              kind="danger"
              onClick={() => setAsking(true)}
            />
          </>
        )}
      </div>
      <p className="settings-provider-facts">
        <code>{provider.baseUrl}</code>
        <span>{provider.kind === 'anthropic' ? 'Anthropic' : 'OpenAI-compatible'}</span>
        <span>{provider.hasKey ? 'key stored' : 'no key'}</span>
      </p>
      {error && (
        <p className="settings-error" role="alert">
          {error}
        </p>
      )}
      {provider.models.length === 0 ? (
        <p className="settings-hint">No models are known. Check the address and the key, then read them again.</p>
      ) : (
        <ModelList models={provider.models} />
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${provider.name}?`}
        size="small"
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button
              kind="danger"
              onClick={() => {
                setAsking(false)
                run('provider.remove')
              }}
            >
              Remove
            </Button>
          </>
        }
      >
        Its key is forgotten. Sessions that use its models keep their text and need another model to go on.
      </Dialog>
    </div>
  )
}

function ModelList({ models }: { models: ModelInfo[] }) {
  return (
    <details className="settings-models">
      <summary>{count(models.length, 'model')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label="Models">
        {models.map((model) => (
          <li key={model.id}>
            <code>{model.name}</code>
            <span>{model.contextWindow > 0 ? `${tokens(model.contextWindow)} context` : 'context not known'}</span>
            {model.price && (
              <span>
                ${model.price.input} in, ${model.price.output} out, for a million
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
