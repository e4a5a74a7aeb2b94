import { AppWindow, Hash, MessageCircle, Pencil, Send, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { ChannelInfo, ChannelKind } from '../../src-preload/contract/channels'
import { Copyable } from '../page/Copyable'
import { RemoveButton } from '../page/RemoveButton'
import { Report, type ReportState } from '../page/Report'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { attempt } from '../state/toasts'
import { Badge, Button, IconButton, Switch, When } from '../ui'
import { kinds } from './channel-draft'

const ICONS: Record<ChannelKind, typeof Hash> = {
  app: AppWindow,
  slack: Hash,
  discord: MessageCircle,
  telegram: Send,
  webhook: Webhook,
}

const TONES = { ready: 'good', off: 'idle', problem: 'bad' } as const
const STATES = { ready: 'ready', off: 'off', problem: 'not working' } as const

const policies: Record<ChannelInfo['policy'], string> = {
  open: 'from anyone',
  allowlist: 'from listed senders',
  pairing: 'from senders you allowed',
}

/** One channel, and whether it works. */
export function ChannelCard({ info, onEdit }: { info: ChannelInfo; onEdit: () => void }) {
  const [report, setReport] = useState<ReportState>(null)
  const { channel, accountId, kind } = info
  const key = { channel, accountId }
  const Icon = ICONS[kind]
  const name = accountId === 'default' ? channel : `${channel} (${accountId})`

  const test = () => {
    setReport({ tone: 'busy', words: 'Sending…' })
    call('channel.test', key).then(
      ({ ok, message }) => {
        setReport({ tone: ok ? 'good' : 'bad', words: message })
        attempt(load('channel.list', {}))
      },
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }
  const save = (enabled: boolean) => {
    if (kind === 'app') return
    return attempt(call('channel.save', { ...key, kind, enabled }))
  }
  const remove = () => attempt(call('channel.remove', key))

  return (
    <article className="ui-column page-card" aria-label={name} data-dim={!info.enabled || undefined}>
      <header className="ui-row page-card-head">
        <Icon size={15} aria-hidden />
        <h3>{kind === 'app' ? 'This app' : name}</h3>
        <span className="page-dot" data-tone={TONES[info.state]} aria-hidden />
        <span className="page-state">{STATES[info.state]}</span>
        {kind === 'app' ? <Badge>default</Badge> : channel !== kind && <Badge>{kinds[kind].label}</Badge>}
        <span className="ui-row page-card-tools">
          <Button kind="quiet" onClick={test} disabled={report?.tone === 'busy' || info.state === 'off'}>
            Send test message
          </Button>
          {kind !== 'app' && (
            <>
              <IconButton light label={`Edit ${name}`} icon={<Pencil size={14} />} onClick={onEdit} />
              <RemoveButton name={name} onRemove={remove}>
                Its secrets are deleted. Jobs that deliver to it will fail until you choose another channel for them.
              </RemoveButton>
              <Switch label={`${name} is on`} checked={info.enabled} onChange={save} />
            </>
          )}
        </span>
      </header>
      {kind === 'app' && (
        <p className="page-text">Messages appear in the agent’s main session, with a desktop notification.</p>
      )}
      {info.problem && <p className="page-error">{info.problem}</p>}
      <Facts info={info} />
      {info.inbound && info.inboundUrl && <Copyable text={info.inboundUrl} what="the address" />}
      {report && <Report report={report} />}
    </article>
  )
}

function Facts({ info }: { info: ChannelInfo }) {
  if (info.kind === 'app' && info.lastSentAt === null) return null
  return (
    <dl className="page-facts">
      {info.defaultTo && (
        <div>
          <dt>To</dt>
          <dd>{info.defaultTo}</dd>
        </div>
      )}
      {info.kind !== 'app' && kinds[info.kind].canReceive && (
        <div>
          <dt>Receives messages</dt>
          <dd>{info.inbound ? `${policies[info.policy]}, for ${info.agentId}` : 'no'}</dd>
        </div>
      )}
      <div>
        <dt>Sent</dt>
        <dd>{info.lastSentAt === null ? 'nothing yet' : <When time={info.lastSentAt} />}</dd>
      </div>
      {info.lastReceivedAt !== null && (
        <div>
          <dt>Received</dt>
          <dd>
            <When time={info.lastReceivedAt} />
          </dd>
        </div>
      )}
    </dl>
  )
}
