import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { efforts, type KeySource, type ProviderKind } from '../../src-preload/contract/models'
import { type Settings, usualSteps } from '../../src-preload/contract/settings'
import { settingsPatch } from '../../src-preload/contract/settings-calls'
import type { ListedModel } from '../agent/model-list'
import { readJsonFile, writeJsonFile } from './json-file'

/** A provider as stored in the settings file, without its key. */
export interface SavedProvider {
  id: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** As the server listed them. */
  models: SavedModel[]
  /** When the list was fetched. Old lists have no date and include details from the table, so only names are used. */
  listedAt?: number
  /** Where its key is read from, if it is not stored. */
  keySource?: KeySource
}

export interface SavedModel extends ListedModel {
  id: string
}

type SettingsListener = (settings: Settings, changed: Partial<Settings>) => void

export interface SettingsFile {
  current(): Settings
  update(patch: Partial<Settings>): Settings
  /** Called after each update with the new settings and the change. */
  onChange(listener: SettingsListener): void
  providers(): SavedProvider[]
  setProviders(providers: SavedProvider[]): void
  /** A section of the file that a service validates itself. */
  section(name: string): unknown
  setSection(name: string, value: unknown): void
  /** Messages for the user about values that could not be read. */
  notes: string[]
}

export const defaultSettings: Settings = {
  theme: 'system',
  defaultModel: '',
  defaultMode: 'safe',
  defaultToolset: 'deckhand',
  defaultWorkspace: homedir(),
  maxIterations: usualSteps,
  sessionCap: 0,
  sessionCapTokens: 0,
  dayCap: 0,
  dayCapTokens: 0,
  modelCorrections: {},
  maxResultBytes: 64 * 1024,
  terminalFontSize: 13,
  notifications: true,
  onClose: 'ask',
  promptShortcut: '',
  noteOwnTyping: false,
  firstByteSeconds: 120,
  idleSeconds: 90,
  compactAt: 0.8,
  gatewayEnabled: true,
  gatewayHost: '127.0.0.1',
  gatewayPort: 0,
  gatewayCertificate: '',
  gatewayKey: '',
  nodeName: '',
  primaryNode: '',
  skillEntries: {},
  webAllowLocal: false,
  webSearchEndpoint: '',
  networkProxy: '',
  networkProxyUser: '',
  certificateFile: '',
  sandboxHosts: [],
  modelTitles: true,
  keyBindings: {},
  interfaceFont: '',
  codeFont: '',
  terminalShell: '',
  editor: '',
  editorCommand: '',
}

const rates = {
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
  cacheWrite: z.number().optional(),
}
const price = z.object({ ...rates, long: z.object({ ...rates, above: z.number() }).optional() })

const provider = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  kind: z.enum(['openai', 'anthropic']),
  baseUrl: z.url({ protocol: /^https?$/ }),
  models: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        contextWindow: z.number().optional(),
        price: price.optional(),
        efforts: z.array(z.enum(efforts)).optional(),
      }),
    )
    .default([]),
  listedAt: z.number().optional(),
  keySource: z
    .union([
      z.object({ kind: z.literal('environment'), name: z.string().min(1).max(200) }),
      z.object({ kind: z.literal('command'), command: z.string().min(1).max(4000) }),
    ])
    .optional(),
})

/**
 * The settings file. An invalid value is replaced by its default and reported in `notes`. Unknown keys are kept, since
 * another version may use them.
 */
export const openSettings = (dataDir: string, now: number = Date.now()): SettingsFile => {
  const path = join(dataDir, 'settings.json')
  const notes: string[] = []
  const { content, keptAs } = readJsonFile(path, now)
  if (keptAs) notes.push(`The settings file could not be read. It was kept as ${keptAs}, and the defaults are used.`)

  const settings = readSettings(content, notes)
  let providers = readProviders(content.providers, notes)
  const listeners = new Set<SettingsListener>()

  return {
    notes,
    current: () => settings,
    update: (patch) => {
      const valid = settingsPatch.parse(patch)
      Object.assign(settings, valid)
      Object.assign(content, valid)
      writeJsonFile(path, content)
      for (const listener of listeners) listener({ ...settings }, valid)
      return { ...settings }
    },
    onChange: (listener) => void listeners.add(listener),
    providers: () => providers,
    setProviders: (next) => {
      providers = next
      content.providers = next
      writeJsonFile(path, content)
    },
    section: (name) => (Object.hasOwn(content, name) ? content[name] : undefined),
    setSection: (name, value) => {
      content[name] = value
      writeJsonFile(path, content)
    },
  }
}

const readSettings = (content: Record<string, unknown>, notes: string[]): Settings => {
  const settings: Record<string, unknown> = { ...defaultSettings }
  for (const [key, schema] of Object.entries(settingsPatch.shape)) {
    if (!Object.hasOwn(content, key)) continue
    const read = schema.safeParse(content[key])
    if (read.success) settings[key] = read.data
    else notes.push(`The setting ${key} has a value that makes no sense, so its default is used.`)
  }
  // Each key was checked against the schema of the same name, or is a default.
  return settings as unknown as Settings
}

const readProviders = (value: unknown, notes: string[]): SavedProvider[] => {
  if (value === undefined) return []
  const rows = Array.isArray(value) ? value : [value]
  const read = rows.map((row) => provider.safeParse(row))
  if (read.some((row) => !row.success)) notes.push('A provider in the settings file could not be read and is left out.')
  return read.flatMap((row) => (row.success ? [row.data] : []))
}
