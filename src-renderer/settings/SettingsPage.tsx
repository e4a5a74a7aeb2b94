import './settings.css'
import { useEffect } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { attempt, openSettings, showPage } from '../state/actions'
import { call } from '../state/bridge'
import { setState, useDeckhand } from '../state/store'
import { Button, Skeleton } from '../ui'
import { General } from './General'
import { KeptForUndo } from './KeptForUndo'
import { Models } from './Models'
import { Network } from './Network'
import { NumberSetting } from './NumberSetting'
import { Sandbox } from './Sandbox'
import { Section } from './Section'
import { Spending } from './Spending'
import { Web } from './Web'

const SECTIONS = [
  ['general', 'General'],
  ['models', 'Models'],
  ['spending', 'Spending'],
  ['sandbox', 'Sandbox'],
  ['web', 'Web'],
  ['network', 'Network'],
  ['terminal', 'Terminal'],
  ['advanced', 'Advanced'],
  ['about', 'About'],
] as const

/** All settings on one page; each is saved as it is changed. */
export function SettingsPage() {
  const settings = useDeckhand((state) => state.settings)
  const aim = useDeckhand((state) => state.aimedSetting)
  useEffect(() => {
    if (!aim) return
    document.getElementById(`settings-${aim.id}`)?.scrollIntoView({ block: 'start' })
    // The next look at the settings begins at their top again.
    setState({ aimedSetting: null })
  }, [aim])
  if (!settings) return <Skeleton rows={6} />
  return (
    <div className="settings-page">
      <nav className="settings-nav" aria-label="Settings">
        {SECTIONS.map(([id, title]) => (
          <Button key={id} kind="quiet" onClick={() => openSettings(id)}>
            {title}
          </Button>
        ))}
      </nav>
      <div className="settings-column">
        <h1>Settings</h1>
        <General settings={settings} />
        <Models />
        <Spending />
        <Sandbox settings={settings} />
        <Web settings={settings} />
        <Network settings={settings} />
        <Terminal settings={settings} />
        <Advanced />
        <About />
      </div>
    </div>
  )
}

function Terminal({ settings }: { settings: Settings }) {
  return (
    <Section id="terminal" title="Terminal">
      <NumberSetting
        setting="terminalFontSize"
        label="Font size"
        hint="You can also press Ctrl with plus, minus or zero in a terminal."
        unit="px"
        min={8}
        max={32}
      />
      <pre className="settings-preview" style={{ fontSize: settings.terminalFontSize }}>
        <span>~/project</span> $ npm test
      </pre>
    </Section>
  )
}

function Advanced() {
  return (
    <Section id="advanced" title="Advanced">
      <NumberSetting
        setting="firstByteSeconds"
        label="Wait for a reply to start"
        hint="After this the request is retried, or the turn fails with a message. Large local models can be slow."
        unit="seconds"
        min={1}
        max={3600}
      />
      <NumberSetting
        setting="idleSeconds"
        label="Longest pause in a reply"
        hint="How long a reply may stall before it is given up."
        unit="seconds"
        min={1}
        max={3600}
      />
      <NumberSetting
        setting="compactAt"
        label="Summarize older turns at"
        hint="When this much of the model’s context is used. The summary is shown and can be undone."
        unit="%"
        factor={100}
        min={30}
        max={98}
      />
      <NumberSetting
        setting="maxResultBytes"
        label="Longest result for the model"
        hint="Longer results are shortened for the model. The full result stays on disk."
        unit="bytes"
        min={1024}
        max={10_000_000}
        whole
      />
      <div className="settings-field">
        <div className="settings-words">
          <span>Data folder</span>
          <p className="settings-hint">Sessions, process logs and settings.</p>
        </div>
        <Button onClick={() => attempt(call('app.revealData', {}))}>Open folder</Button>
      </div>
      <KeptForUndo />
      <div className="settings-field">
        <div className="settings-words">
          <span>Rules</span>
          <p className="settings-hint">Saved approvals and denials.</p>
        </div>
        <Button onClick={() => showPage('rules')}>Open rules</Button>
      </div>
    </Section>
  )
}

function About() {
  const version = useDeckhand((state) => state.version)
  const platform = useDeckhand((state) => state.platform)
  return (
    <Section id="about" title="About">
      <p>
        Deckhand {version} on {platform}. A desktop agent that you can watch.
      </p>
      <p className="settings-hint">
        Everything is stored on this machine. Only what a session needs is sent to the model you chose for it.
      </p>
    </Section>
  )
}
