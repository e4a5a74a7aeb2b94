import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { ChannelInfo } from '../../src-preload/contract/channels'
import { Fold } from '../page/Fold'
import { described, FormRow } from '../page/FormRow'
import { Report, type ReportState } from '../page/Report'
import { announce } from '../state/actions'
import { call } from '../state/bridge'
import { applyEvents, useDeckhand } from '../state/store'
import { Button } from '../ui'
import { type ChannelDraft, draftErrors, kinds, toSave } from './channel-draft'
import { InboundFields } from './InboundFields'
import { SecretField } from './SecretField'

interface ChannelFormProps {
  start: ChannelDraft
  stored?: ChannelInfo
  onDone: () => void
}

/** A channel to add or change. */
export function ChannelForm({ start, stored, onDone }: ChannelFormProps) {
  const ids = { name: useId(), to: useId(), base: useId() }
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<ReportState>(null)
  const taken = useDeckhand((state) => state.channels?.channels)?.map((entry) => entry.channel) ?? []
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll<HTMLInputElement>('input.ui-input') ?? [])]
    ;(fields.find((field) => field.value === '') ?? fields[0])?.focus()
  }, [])
  const facts = kinds[draft.kind]
  const errors = checked ? draftErrors(draft, stored, taken) : {}
  const change = (part: Partial<ChannelDraft>) => {
    setDraft({ ...draft, ...part })
    setReport(null)
  }

  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(draftErrors(draft, stored, taken)).length > 0) return
    setReport({ tone: 'busy', words: 'Saving…' })
    call('channel.save', toSave(draft)).then(
      (state) => {
        applyEvents([{ type: 'channels', ...state }])
        announce(`${draft.channel} is saved`)
        onDone()
      },
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }

  return (
    <form
      ref={form}
      className="page-form"
      aria-label={draft.stored ? `Change ${draft.channel}` : `New channel: ${facts.label}`}
      onSubmit={save}
      noValidate
    >
      {!draft.stored && (
        <>
          <h2>{facts.label}</h2>
          <FormRow id={ids.name} label="Name" error={errors.channel} hint="How jobs and the agent call it.">
            <input
              className="ui-input page-mono"
              spellCheck={false}
              value={draft.channel}
              onChange={(event) => change({ channel: event.target.value })}
              {...described(ids.name, errors.channel, true)}
            />
          </FormRow>
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
      {facts.to && (
        <FormRow id={ids.to} label="Send to" hint={`Where messages go that name nobody. ${facts.to}.`}>
          <input
            className="ui-input page-mono"
            spellCheck={false}
            value={draft.defaultTo}
            onChange={(event) => change({ defaultTo: event.target.value })}
            {...described(ids.to, undefined, true)}
          />
        </FormRow>
      )}
      {facts.canReceive && <InboundFields draft={draft} onChange={change} />}
      {draft.kind === 'telegram' && (
        <div className="page-form-wide">
          <Fold label="Another server" startOpen={draft.baseUrl !== ''}>
            <FormRow id={ids.base} label="Address" error={errors.baseUrl} hint="Of a Bot API server of your own.">
              <input
                className="ui-input page-mono"
                placeholder="https://api.telegram.org"
                spellCheck={false}
                value={draft.baseUrl}
                onChange={(event) => change({ baseUrl: event.target.value })}
                {...described(ids.base, errors.baseUrl, true)}
              />
            </FormRow>
          </Fold>
        </div>
      )}
      <div className="page-form-foot">
        <Button kind="primary" type="submit" disabled={report?.tone === 'busy'}>
          Save
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Report report={report} />
      </div>
    </form>
  )
}
