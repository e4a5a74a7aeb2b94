import { useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { Switch } from '../ui'
import { Field } from './Field'
import { Section } from './Section'
import { useSaving } from './use-setting'

/** What the tools for the web may reach, and whom they ask. */
export function Web({ settings }: { settings: Settings }) {
  return (
    <Section id="web" title="Web" words="search service duckduckgo fetch local addresses proxy">
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
      label="Allow local addresses"
      hint="Lets the agent fetch pages from this machine and its network. A web page could then direct it to routers and other services that trust this machine."
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
      setError('Enter a URL that starts with http:// or https://, or leave this empty.')
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
      hint="A URL that returns JSON, with {query} and {count} as placeholders. Leave empty to use DuckDuckGo."
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
