import './settings.css'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { call } from '../state/bridge'
import { openSettings, showPage } from '../state/navigate'
import { setState, useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, SearchField, Skeleton } from '../ui'
import { Editor } from './Editor'
import { General } from './General'
import { KeptForUndo } from './KeptForUndo'
import { KeyBindings } from './KeyBindings'
import { Models } from './Models'
import { Network } from './Network'
import { NumberSetting } from './NumberSetting'
import { Sandbox } from './Sandbox'
import { Section, SettingsQuery, useFound } from './Section'
import { Spending } from './Spending'
import { SwitchSetting } from './SwitchSetting'
import { TextSetting } from './TextSetting'
import { Web } from './Web'

const SECTIONS = [
  ['general', 'General'],
  ['models', 'Models'],
  ['spending', 'Spending'],
  ['sandbox', 'Sandbox'],
  ['web', 'Web'],
  ['network', 'Network'],
  ['appearance', 'Fonts'],
  ['terminal', 'Terminal'],
  ['editor', 'Editor'],
  ['keys', 'Key bindings'],
  ['advanced', 'Advanced'],
  ['about', 'About'],
] as const

/** All settings on one page, by section and with a search; each is saved when it is changed. */
export function SettingsPage() {
  const settings = useDeckhand((state) => state.settings)
  const aim = useDeckhand((state) => state.aimedSetting)
  const [query, setQuery] = useState('')
  const page = useRef<HTMLDivElement>(null)
  const current = useCurrentSection(page, query)
  useEffect(() => {
    if (!aim) return
    document.getElementById(`settings-${aim.id}`)?.scrollIntoView({ block: 'start' })
    // The next visit starts at the top again.
    setState({ aimedSetting: null })
  }, [aim])
  if (!settings) return <Skeleton rows={6} />
  return (
    <div className="settings-page" ref={page}>
      <nav className="settings-nav" aria-label="Settings">
        <SearchField label="Search settings" placeholder="Search" value={query} onChange={setQuery} />
        {SECTIONS.map(([id, title]) => (
          <Button
            key={id}
            kind="quiet"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => {
              setQuery('')
              openSettings(id)
            }}
          >
            {title}
          </Button>
        ))}
      </nav>
      <SettingsQuery value={query.trim().toLowerCase()}>
        <div className="ui-column settings-column">
          <h1>Settings</h1>
          <General settings={settings} />
          <Models />
          <Spending />
          <Sandbox settings={settings} />
          <Web />
          <Network settings={settings} />
          <Fonts settings={settings} />
          <Terminal settings={settings} />
          <Editor settings={settings} />
          <KeyBindings bindings={settings.keyBindings} />
          <Advanced />
          <About />
          <p className="settings-nothing">No settings match “{query.trim()}”.</p>
        </div>
      </SettingsQuery>
    </div>
  )
}

/** The section at the top of the visible part. */
function useCurrentSection(page: RefObject<HTMLDivElement | null>, query: string): string {
  const [current, setCurrent] = useState<string>(SECTIONS[0][0])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search changes which sections there are
  useEffect(() => {
    const scroller = page.current
    if (!scroller) return
    const look = () => {
      const all = [...scroller.querySelectorAll<HTMLElement>('.settings-section')]
      const [first] = all
      // Where a section is after a jump to it, plus a few lines.
      const margin = first ? Number.parseFloat(getComputedStyle(first).scrollMarginTop) : 0
      const top = scroller.getBoundingClientRect().top + margin + 56
      const sections = all.filter((section) => section.checkVisibility())
      const atEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2
      const shown = atEnd
        ? sections.at(-1)
        : (sections.findLast((section) => section.getBoundingClientRect().top <= top) ?? sections[0])
      if (shown) setCurrent(shown.id.replace('settings-', ''))
    }
    look()
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [page, query])
  return current
}

function Fonts({ settings }: { settings: Settings }) {
  return (
    <Section id="appearance" title="Fonts">
      <TextSetting
        setting="interfaceFont"
        label="Interface font"
        hint="A font installed on this machine. Leave empty for the system font."
      />
      <TextSetting
        setting="codeFont"
        label="Code font"
        hint="For commands, code and terminals. Terminals that are already open keep theirs."
      />
      <pre className="settings-preview">
        <span>const</span> answer = 0O1lI + {settings.terminalFontSize}
      </pre>
    </Section>
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
      <TextSetting
        setting="terminalShell"
        label="Shell"
        hint="The program that terminals you open run, such as /usr/bin/fish. Leave empty for your login shell."
      />
      <SwitchSetting
        setting="noteOwnTyping"
        label="Tell the agent what I type in my own terminals"
        hint="It is always told what you type in the terminals it started, except passwords."
      />
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
        hint="How long a reply may stall before Deckhand gives up on it."
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
      <Row label="Data folder" hint="Sessions, process logs and settings.">
        <Button onClick={() => attempt(call('app.revealData', {}))}>Open folder</Button>
      </Row>
      <KeptForUndo />
      <Row label="Rules" hint="Saved approvals and denials.">
        <Button onClick={() => showPage('rules')}>Open rules</Button>
      </Row>
    </Section>
  )
}

/** A row with a link or button instead of a value. */
function Row({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  const found = useFound(label, hint)
  if (!found) return null
  return (
    <div className="settings-field">
      <div className="settings-words">
        <span>{label}</span>
        <p className="settings-hint">{hint}</p>
      </div>
      {children}
    </div>
  )
}

const systems = new Map([
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
])

function About() {
  const version = useDeckhand((state) => state.version)
  const platform = useDeckhand((state) => state.platform)
  return (
    <Section id="about" title="About" words="version platform privacy">
      <p>
        Deckhand {version} on {systems.get(platform) ?? platform}. A desktop agent that you can watch.
      </p>
      <p className="settings-hint">
        Everything is stored on this machine. Only what a session needs is sent to the model you chose for it.
      </p>
    </Section>
  )
}
