import { UserRoundCheck } from 'lucide-react'
import type { PendingSender } from '../../src-preload/contract/channels'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { attempt } from '../state/toasts'
import { Button, When } from '../ui'

/** People who wrote and are not known yet. Nothing they send reaches the agent until they are accepted. */
export function NewSenders({ pending }: { pending: PendingSender[] }) {
  if (pending.length === 0) return null
  return (
    <section className="ui-column page-section" aria-label="New senders">
      <h2>New senders</h2>
      <ul className="ui-column page-list">
        {pending.map((entry) => (
          <li key={`${entry.channel} ${entry.accountId} ${entry.sender}`}>
            <Stranger entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stranger({ entry }: { entry: PendingSender }) {
  const { channel, accountId, sender } = entry
  const answer = (name: 'channel.approve' | 'channel.deny') => attempt(call(name, { channel, accountId, sender }))
  const who = visible(entry.name || sender)
  return (
    <article className="ui-column page-card" data-tone="wait" aria-label={who}>
      <header className="ui-row page-card-head">
        <UserRoundCheck size={15} aria-hidden />
        <h3>{who}</h3>
        <span className="page-state">
          {channel}, <code>{visible(sender)}</code>, <When time={entry.at} />
        </span>
      </header>
      <blockquote className="channels-quote">{visible(entry.text)}</blockquote>
      <p className="page-text">
        Senders choose their own names, so a name proves nothing. Allow only people you expect: they can give the agent
        work.
      </p>
      <div className="page-buttons">
        <Button onClick={() => answer('channel.approve')}>Allow</Button>
        <Button kind="danger" onClick={() => answer('channel.deny')}>
          Deny
        </Button>
      </div>
    </article>
  )
}
