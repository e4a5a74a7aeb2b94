import type { ChannelInfo } from '../../src-preload/contract/channels'
import { Fold } from '../page/Fold'
import { Form } from '../page/Form'
import { TextRow } from '../page/TextRow'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { type ChannelDraft, draftErrors, kinds, toSave } from './channel-draft'
import { InboundFields } from './InboundFields'
import { SecretField } from './SecretField'

interface ChannelFormProps {
  start: ChannelDraft
  stored?: ChannelInfo
  onDone: () => void
}

export function ChannelForm({ start, stored, onDone }: ChannelFormProps) {
  const taken = useDeckhand((state) => state.channels?.channels)?.map((entry) => entry.channel) ?? []
  const form = useDraft(start, (draft: ChannelDraft) => draftErrors(draft, stored, taken))
  const { draft, errors, change, field } = form
  const facts = kinds[draft.kind]

  const save = () => form.save(draft.channel, () => call('channel.save', toSave(draft)), onDone)

  return (
    <Form
      label={draft.stored ? `Edit ${draft.channel}` : `New channel: ${facts.label}`}
      report={form.report}
      onSubmit={save}
      onCancel={onDone}
    >
      {!draft.stored && (
        <>
          <h2>{facts.label}</h2>
          <TextRow label="Name" mono hint="The name that jobs and the agent use." {...field('channel')} />
        </>
      )}
      {facts.secrets.map((secret) => (
        <SecretField
          key={secret.name}
          {...secret}
          draft={draft}
          isStored={stored?.secrets[secret.name] ?? false}
          error={errors[secret.name]}
          onChange={change}
        />
      ))}
      {facts.to && <TextRow label="Send to" mono hint={`Default recipient. ${facts.to}.`} {...field('defaultTo')} />}
      {facts.canReceive && <InboundFields draft={draft} field={field} onChange={change} />}
      {draft.kind === 'telegram' && (
        <div className="page-form-wide">
          <Fold label="Other server" startOpen={draft.baseUrl !== ''}>
            <TextRow
              label="Address"
              mono
              hint="Base URL of your own Bot API server."
              placeholder="https://api.telegram.org"
              {...field('baseUrl')}
            />
          </Fold>
        </div>
      )}
    </Form>
  )
}
