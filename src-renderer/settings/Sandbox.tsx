import { useEffect } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { loadSandbox } from '../state/sandbox'
import { useDeckhand } from '../state/store'
import { SavedLine } from './SavedLine'
import { Section } from './Section'
import { useSaving } from './use-setting'

const hostPattern = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$/

/** Measured by `npm run bench -- questions`; docs/APPROVAL.md has the figures. */
const withCage =
  'Commands that run without asking you are always confined: they can change nothing (or only the workspace, if the mode allows that) and have no access to the network or to secrets.'
const withoutCage =
  'Without it, only a few simple programs run without asking. Installing bubblewrap would avoid most questions: of 100 commands that only read, fewer than 1 asks with it and 70 ask without it; of 100 everyday changes in the mode Allow in workspace, 3 ask with it and 76 without it.'

/** What commands in a sandbox may access. Each session has a switch of its own. */
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
      <p className="settings-hint">{status?.available === false ? withoutCage : withCage}</p>
      <HostsSetting stored={settings.sandboxHosts} />
    </Section>
  )
}

function HostsSetting({ stored }: { stored: readonly string[] }) {
  const [saving, save] = useSaving('sandboxHosts')
  const hosts = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  const problem = (text: string) => {
    const odd = hosts(text).find((host) => !hostPattern.test(host))
    return odd === undefined ? undefined : `${odd} is not a host name.`
  }
  return (
    <SavedLine
      label="Allowed hosts"
      hint="Hosts that commands may connect to, separated by spaces, such as packages.example.org or *.example.com. Leave empty for no network access."
      placeholder="packages.example.org"
      problem={problem}
      stored={stored.join(' ')}
      saving={saving}
      onSave={(text) => save(hosts(text))}
    />
  )
}
