import { useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { Switch } from '../ui'
import { Field } from './Field'
import { Section } from './Section'
import { useSaving } from './use-setting'

/** What the tools for the web may reach, and whom they ask. */
export function Web({ settings }: { settings: Settings }) {
  return (
    <Section id="web" title="Web">
      <LocalSetting value={settings.webAllowLocal} />
      <EndpointSetting stored={settings.webSearchEndpoint} />
    </Section>
  )
}

function LocalSetting({ value }: { value: boolean }) {
  const id = useId()
  const [saving, save] = useSaving('webAllowLocal')
  return (
    <Field
      id={id}
      label="Fetch from this machine and its network"
      hint="For pages of your own servers. A page can then lead the agent to routers and services that trust this machine."
      saving={saving}
    >
      <Switch id={id} checked={value} onChange={save} />
    </Field>
  )
}

function EndpointSetting({ stored }: { stored: string }) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [saving, save] = useSaving('webSearchEndpoint')
  const finish = () => {
    const address = (draft ?? stored).trim()
    if (address !== '' && !/^https?:\/\/\S+$/.test(address)) {
      setError('An address that starts with http:// or https://, or nothing.')
      return
    }
    setError(undefined)
    setDraft(null)
    if (address !== stored) save(address)
  }
  return (
    <Field
      id={id}
      label="Search service"
      hint="An address that answers in JSON; {query} and {count} stand for what is asked. Left empty, the agent uses DuckDuckGo."
      error={error}
      saving={saving}
    >
      <input
        id={id}
        className="ui-input"
        placeholder="https://search.example/api?q={query}"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : `${id}-hint`}
        value={draft ?? stored}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
    </Field>
  )
}
