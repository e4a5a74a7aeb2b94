import { useId } from 'react'
import type { Settings, Theme } from '../../src-preload/contract/settings'
import { call } from '../state/bridge'
import { modes } from '../state/modes'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { Select } from '../ui/Select'
import { Field } from './Field'
import { NumberSetting } from './NumberSetting'
import { Section } from './Section'
import { SelectSetting } from './SelectSetting'
import { SwitchSetting } from './SwitchSetting'
import { useSaving } from './use-setting'

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function General({ settings }: { settings: Settings }) {
  return (
    <Section id="general" title="General">
      <SelectSetting setting="theme" label="Theme" value={settings.theme} options={THEMES} />
      <SwitchSetting
        setting="notifications"
        label="Desktop notifications"
        hint="When something needs your answer, or finishes while the window is in the background."
      />
      <SelectSetting
        setting="onClose"
        label="When the window is closed"
        hint="With “Keep running”, sessions, terminals and schedules continue in the background. Click the tray icon or start Deckhand again to reopen the window."
        value={settings.onClose}
        options={WAYS}
      />
      <PromptSetting value={settings.promptShortcut} />
      <WorkspaceSetting value={settings.defaultWorkspace} />
      <SelectSetting
        setting="defaultMode"
        label="Default approvals"
        hint={modes.find((mode) => mode.value === settings.defaultMode)?.hint}
        error={
          settings.defaultMode === 'all' ? 'New sessions will run nearly every command without asking.' : undefined
        }
        value={settings.defaultMode}
        options={modes}
      />
      <ModelSetting value={settings.defaultModel} />
      <SwitchSetting
        setting="modelTitles"
        label="Name sessions with the model"
        hint="One small request after the first answer. Otherwise the first message is the title. Off while a spending cap is set."
      />
      <VocabularySetting value={settings.defaultToolset} />
      <NumberSetting
        setting="maxIterations"
        label="Steps per turn"
        hint="How many model requests a turn may make before it pauses and asks you."
        unit="steps"
        min={1}
        max={1000}
        whole
      />
    </Section>
  )
}

const WAYS: readonly { value: Settings['onClose']; label: string }[] = [
  { value: 'ask', label: 'Ask' },
  { value: 'background', label: 'Keep running' },
  { value: 'quit', label: 'Quit' },
]

/** Stands for no key, since a list cannot contain an empty value. */
const NO_KEY = 'none'
const PROMPT_KEYS = ['Control+Alt+Space', 'Control+Shift+Space', 'Alt+Space', 'Super+Space', 'Control+Alt+D']

function PromptSetting({ value }: { value: string }) {
  const id = useId()
  const [saving, save] = useSaving('promptShortcut')
  const keys = value === '' || PROMPT_KEYS.includes(value) ? PROMPT_KEYS : [value, ...PROMPT_KEYS]
  const options = [
    { value: NO_KEY, label: 'Off' },
    ...keys.map((key) => ({ value: key, label: key.replaceAll('Control', 'Ctrl') })),
  ]
  return (
    <Field
      id={id}
      label="Prompt box"
      hint="A shortcut that opens a small box over any app, to start a session with one message."
      saving={saving}
    >
      <Select id={id} value={value || NO_KEY} options={options} onChange={(key) => save(key === NO_KEY ? '' : key)} />
    </Field>
  )
}

function WorkspaceSetting({ value }: { value: string }) {
  const id = useId()
  const [saving, save] = useSaving('defaultWorkspace')
  const choose = () =>
    attempt(
      call('app.chooseFolder', value ? { start: value } : {}).then((folder) => {
        if (folder) save(folder)
      }),
    )
  return (
    <Field id={id} label="Default workspace" hint={<code>{value || 'your home folder'}</code>} saving={saving}>
      <Button id={id} onClick={choose}>
        Choose folder
      </Button>
    </Field>
  )
}

/** Stands for no choice, since a list cannot contain an empty value. */
const AUTOMATIC = 'automatic'

function ModelSetting({ value }: { value: string }) {
  const id = useId()
  const providers = useDeckhand((state) => state.providers)
  const [saving, save] = useSaving('defaultModel')
  const options = [
    { value: AUTOMATIC, label: 'First available', hint: 'Or the offline guide if there is none' },
    { value: 'guide', label: 'Offline guide', hint: 'Built in. Follows rules and needs no server' },
    ...providers.flatMap((provider) =>
      provider.models.map((model) => ({ value: model.id, label: model.name, hint: provider.name })),
    ),
  ]
  const chosen = value || AUTOMATIC
  const known = options.some((option) => option.value === chosen)
  return (
    <Field
      id={id}
      label="Default model"
      error={known ? undefined : `${value} is not available right now.`}
      saving={saving}
    >
      <Select
        id={id}
        value={known ? chosen : ''}
        options={options}
        onChange={(model) => save(model === AUTOMATIC ? '' : model)}
      />
    </Field>
  )
}

const VOCABULARIES: Readonly<Record<string, string>> = {
  deckhand: 'Deckhand’s own tools',
  gsv: 'GSV: node tools and gsv__ tools',
  miclaw: 'miclaw: files, sessions, memory and cron',
  buddy: 'buddy: one machine and its tmux',
  clawft: 'clawft: contained file and shell tools',
}

function VocabularySetting({ value }: { value: string }) {
  const toolsets = useDeckhand((state) => state.toolsets)
  return (
    <SelectSetting
      setting="defaultToolset"
      label="Tool names"
      hint="The set of tool names and parameters that the model sees in new sessions."
      value={value}
      options={toolsets.map((name) => ({ value: name, label: name, hint: VOCABULARIES[name] }))}
    />
  )
}
