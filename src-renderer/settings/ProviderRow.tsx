import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Provider } from '../../src-preload/contract/models'
import { Confirm } from '../page/Confirm'
import { Fold } from '../page/Fold'
import { call } from '../state/bridge'
import { count } from '../state/format'
import { Badge, IconButton } from '../ui'
import { ModelList } from './ModelList'

const keyWords = ({ hasKey, keySource }: Provider): string => {
  if (keySource) return keySource.kind === 'environment' ? `key from ${keySource.name}` : 'key from a command'
  return hasKey ? 'key stored' : 'no key'
}

/** A provider that was set up or detected, with its models. */
export function ProviderRow({ provider, onEdit }: { provider: Provider; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  const run = (name: 'provider.refresh' | 'provider.remove') => {
    setBusy(true)
    setError('')
    call(name, { id: provider.id })
      .catch((reason: Error) => setError(reason.message))
      .finally(() => setBusy(false))
  }

  return (
    <div className="ui-column settings-provider">
      <div className="ui-row settings-provider-head">
        <h3>{provider.name}</h3>
        {provider.detected && <Badge tone="good">found on this machine</Badge>}
        <span className="settings-spacer" />
        <IconButton
          label={`Refresh the models of ${provider.name}`}
          icon={<RefreshCw size={14} />}
          disabled={busy}
          onClick={() => run('provider.refresh')}
        />
        {!provider.detected && (
          <>
            <IconButton label={`Edit ${provider.name}`} icon={<Pencil size={14} />} onClick={onEdit} />
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
        <span>{keyWords(provider)}</span>
      </p>
      {error && (
        <p className="settings-error" role="alert">
          {error}
        </p>
      )}
      {provider.models.length === 0 ? (
        <p className="settings-hint">No models found. Check the base URL and the key, then refresh.</p>
      ) : (
        <Fold label={count(provider.models.length, 'model')} of={provider.name}>
          <ModelList models={provider.models} />
        </Fold>
      )}
      <Confirm
        open={asking}
        title={`Remove ${provider.name}?`}
        action="Remove"
        keep="Cancel"
        onClose={() => setAsking(false)}
        onConfirm={() => run('provider.remove')}
      >
        Its key is deleted. Sessions that use its models keep their messages but need another model to continue.
      </Confirm>
    </div>
  )
}
