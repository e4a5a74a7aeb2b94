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
import { NumberSetting } from './NumberSetting'
import { Sandbox } from './Sandbox'
import { Section } from './Section'
import { Web } from './Web'

const SECTIONS = [
  ['general', 'General'],
  ['models', 'Models'],
  ['sandbox', 'Sandbox'],
  ['web', 'Web'],
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
        <Sandbox settings={settings} />
        <Web settings={settings} />
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
        label="Size of the text"
        hint="Ctrl with plus, minus and zero does the same in a terminal."
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
        label="Wait for a reply to begin"
        hint="Then the model is asked again, or the turn fails and says so. Large local models take long."
        unit="seconds"
        min={1}
        max={3600}
      />
      <NumberSetting
        setting="idleSeconds"
        label="Wait for a reply to go on"
        hint="The longest silence in the middle of a reply."
        unit="seconds"
        min={1}
        max={3600}
      />
      <NumberSetting
        setting="compactAt"
        label="Summarise older turns at"
        hint="When this share of the model’s context is in use. The summary is shown and can be undone."
        unit="%"
        factor={100}
        min={30}
        max={98}
      />
      <NumberSetting
        setting="maxResultBytes"
        label="Largest result for the model"
        hint="Longer results are cut for the model; all of it stays on disk."
        unit="bytes"
        min={1024}
        max={10_000_000}
        whole
      />
      <div className="settings-field">
        <div className="settings-words">
          <span>Data folder</span>
          <p className="settings-hint">Sessions, logs of processes, and settings.</p>
        </div>
        <Button onClick={() => attempt(call('app.revealData', {}))}>Show it</Button>
      </div>
      <KeptForUndo />
      <div className="settings-field">
        <div className="settings-words">
          <span>Rules</span>
          <p className="settings-hint">What you have allowed or denied for good.</p>
        </div>
        <Button onClick={() => showPage('rules')}>Open the rules</Button>
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
        Everything is kept on this machine. Only what a session needs goes to the model that you chose for it.
      </p>
    </Section>
  )
}
