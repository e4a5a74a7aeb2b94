import { useId } from 'react'
import type { SenderPolicy } from '../../src-preload/contract/channels'
import { AgentRow } from '../page/AgentRow'
import { FormRow } from '../page/FormRow'
import { SelectRow } from '../page/SelectRow'
import { AreaRow } from '../page/TextRow'
import type { FieldOf } from '../page/use-draft'
import { Switch } from '../ui'
import type { ChannelDraft } from './channel-draft'

const POLICIES: readonly { value: SenderPolicy; label: string; hint: string }[] = [
  { value: 'pairing', label: 'Ask me about new senders', hint: 'Unknown senders wait on this page for your decision' },
  { value: 'allowlist', label: 'Only listed senders', hint: 'Everyone else is ignored' },
  { value: 'open', label: 'Anyone', hint: 'Anyone who finds it can give the agent work' },
]

interface InboundFieldsProps {
  draft: ChannelDraft
  field: FieldOf<ChannelDraft>
  onChange: (part: Partial<ChannelDraft>) => void
}

/** Who may write to the agent through this channel. */
export function InboundFields({ draft, field, onChange }: InboundFieldsProps) {
  const inboundId = useId()
  return (
    <>
      <FormRow id={inboundId} label="Receive" hint="An incoming message starts a turn, as if you had typed it.">
        <Switch id={inboundId} checked={draft.inbound} onChange={(inbound) => onChange({ inbound })} />
      </FormRow>
      {draft.inbound && (
        <>
          <SelectRow
            label="From"
            error={draft.policy === 'open' ? 'Strangers can then give the agent work and read its answers.' : undefined}
            value={draft.policy}
            options={POLICIES}
            onChange={(policy) => onChange({ policy })}
          />
          {draft.policy !== 'open' && (
            <AreaRow
              label="Allowed senders"
              className="channels-senders"
              hint="One sender ID per line, as the service shows it."
              {...field('allowFrom')}
            />
          )}
          <AgentRow label="Answered by" value={draft.agentId} onChange={(agentId) => onChange({ agentId })} />
        </>
      )}
    </>
  )
}
