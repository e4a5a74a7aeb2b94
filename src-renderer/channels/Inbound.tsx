import { useId, useState } from 'react'
import type { ChannelSettings, DmScope } from '../../src-preload/contract/channels'
import type { CallInput } from '../../src-preload/contract/ipc'
import { Fold } from '../page/Fold'
import { call } from '../state/bridge'
import { Switch } from '../ui'
import { Select } from '../ui/Select'

const SCOPES: readonly { value: DmScope; label: string }[] = [
  { value: 'main', label: 'Share the main session' },
  { value: 'per-peer', label: 'One session per person' },
  { value: 'per-channel-peer', label: 'One session per person and channel' },
  { value: 'per-account-channel-peer', label: 'One session per person, channel and account' },
]

const HOSTS = [
  { value: '127.0.0.1', label: 'This machine only' },
  { value: '0.0.0.0', label: 'All networks' },
]

/** Settings for all channels that receive messages. */
export function Inbound({ settings }: { settings: ChannelSettings }) {
  const ids = { scope: useId(), open: useId(), host: useId(), port: useId() }
  const [problem, setProblem] = useState('')
  const save = (change: CallInput<'channel.settings'>) =>
    call('channel.settings', change).then(
      () => setProblem(''),
      (error: Error) => setProblem(error.message),
    )
  const hosts = HOSTS.some((host) => host.value === settings.inboundHost)
    ? HOSTS
    : [...HOSTS, { value: settings.inboundHost, label: settings.inboundHost }]
  return (
    <section className="ui-column page-section channels-inbound" aria-label="Incoming messages">
      <Fold label="Incoming messages">
        <div className="channels-settings">
          <label htmlFor={ids.scope}>Direct messages</label>
          <Select id={ids.scope} value={settings.dmScope} options={SCOPES} onChange={(dmScope) => save({ dmScope })} />
          <label htmlFor={ids.open}>Accept signed webhooks</label>
          <Switch
            id={ids.open}
            checked={settings.inboundEnabled}
            onChange={(inboundEnabled) => save({ inboundEnabled })}
          />
          <label htmlFor={ids.host}>Reachable from</label>
          <Select
            id={ids.host}
            value={settings.inboundHost}
            options={hosts}
            onChange={(inboundHost) => save({ inboundHost })}
          />
          <label htmlFor={ids.port}>Port (0 for any free port)</label>
          <input
            key={settings.inboundPort}
            id={ids.port}
            className="ui-input channels-port"
            inputMode="numeric"
            defaultValue={settings.inboundPort}
            onBlur={(event) => {
              const inboundPort = Number(event.target.value)
              if (inboundPort !== settings.inboundPort) void save({ inboundPort })
            }}
          />
        </div>
        {problem && (
          <p className="page-error" role="alert">
            {problem}
          </p>
        )}
      </Fold>
    </section>
  )
}
