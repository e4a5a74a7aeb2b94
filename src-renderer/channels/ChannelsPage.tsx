import './channels.css'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { load } from '../state/load'
import { namesIn } from '../state/names-in'
import { useDeckhand } from '../state/store'
import { Button, Menu, MenuItem } from '../ui'
import { ChannelCard } from './ChannelCard'
import { ChannelForm } from './ChannelForm'
import { type ChannelDraft, draftFromChannel, emptyDraft, kinds } from './channel-draft'
import { Inbound } from './Inbound'
import { NewSenders } from './NewSenders'

const readChannels = () => load('channel.list', {})

/** The channels through which messages are sent and received. */
export function ChannelsPage() {
  const state = useDeckhand((store) => store.channels)
  const asked = useAsk(readChannels)
  const [draft, setDraft] = useState<ChannelDraft | null>(null)
  const channels = state?.channels ?? []
  const taken = channels.map((entry) => entry.channel)
  const isEdited = (channel: string, accountId: string) =>
    draft?.stored && draft.channel === channel && draft.accountId === accountId

  return (
    <Page
      title="Channels"
      hint="How the agent reaches you when you are away, and how you reach it."
      actions={
        <Menu
          align="end"
          wide
          trigger={
            <Button kind="primary" icon={<Plus size={14} />}>
              Add channel
            </Button>
          }
        >
          {namesIn(kinds).map((kind) => (
            <MenuItem key={kind} hint={kinds[kind].hint} onSelect={() => setDraft(emptyDraft(kind, taken))}>
              {kinds[kind].label}
            </MenuItem>
          ))}
        </Menu>
      }
    >
      <Loaded asked={asked} ready={state !== null} what="The channels">
        <NewSenders pending={state?.pending ?? []} />
        {draft && !draft.stored && <ChannelForm key={draft.channel} start={draft} onDone={() => setDraft(null)} />}
        <ul className="ui-column page-list" aria-label="Channels">
          {channels.map((info) => (
            <li key={`${info.channel} ${info.accountId}`}>
              {draft && isEdited(info.channel, info.accountId) ? (
                <ChannelForm start={draft} stored={info} onDone={() => setDraft(null)} />
              ) : (
                <ChannelCard
                  info={info}
                  onEdit={() => info.kind !== 'app' && setDraft(draftFromChannel(info, info.kind))}
                />
              )}
            </li>
          ))}
        </ul>
        {channels.length <= 1 && !draft && (
          <p className="page-hint">
            Add Slack, Discord, Telegram or a webhook to get the results of scheduled jobs there. Sending needs your
            approval, like everything else that leaves this machine.
          </p>
        )}
        {state && <Inbound settings={state.settings} />}
      </Loaded>
    </Page>
  )
}
