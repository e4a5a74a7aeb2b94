import { useEffect, useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { loadSandbox } from '../state/sandbox'
import { useDeckhand } from '../state/store'
import { Field } from './Field'
import { Section } from './Section'
import { useSaving } from './use-setting'

const hostPattern = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/

/** What commands in a sandbox may reach. The switch itself belongs to each session. */
export function Sandbox({ settings }: { settings: Settings }) {
  const status = useDeckhand((state) => state.sandbox)
  useEffect(loadSandbox, [])
  return (
    <Section id="sandbox" title="Sandbox">
      <p className="settings-hint">
        {status && !status.available
          ? `Not available on this machine: ${status.note}`
          : `Turn it on for each session below the message box. ${status?.note ?? ''}`}
      </p>
      <HostsSetting stored={settings.sandboxHosts} />
    </Section>
  )
}

function HostsSetting({ stored }: { stored: readonly string[] }) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [saving, save] = useSaving('sandboxHosts')
  const shown = stored.join(' ')
  const finish = () => {
    const hosts = (draft ?? shown).split(/[\s,]+/).filter(Boolean)
    const odd = hosts.find((host) => !hostPattern.test(host))
    if (odd !== undefined) {
      setError(`${odd} is not a host name.`)
      return
    }
    setError(undefined)
    setDraft(null)
    if (hosts.join(' ') !== shown) save(hosts)
  }
  return (
    <Field
      id={id}
      label="Allowed hosts"
      hint="Hosts that commands may connect to, separated by spaces, such as packages.example.org or *.example.com. Leave empty for no network access."
      error={error}
      saving={saving}
    >
      <input
        id={id}
        className="ui-input"
        placeholder="packages.example.org"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : `${id}-hint`}
        value={draft ?? shown}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
    </Field>
  )
}
