import { keyCommandRule, providerNameRule, variableRule } from '../../src-preload/contract/field-rules'
import type { CallInput } from '../../src-preload/contract/ipc'
import { isLoopback } from '../../src-preload/contract/loopback'
import type { KeySource, Provider, ProviderKind } from '../../src-preload/contract/models'
import { fieldErrors } from '../page/field-errors'
import type { Preset } from './presets'

/** A provider while it is edited. */
export interface ProviderDraft {
  id?: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** What was typed; empty keeps the stored key, if there is one. */
  key: string
  forgetKey: boolean
  /** Whether the key is entered here, or read from elsewhere each time it is needed. */
  keyFrom: KeyFrom
  /** The name of the variable. */
  variable: string
  command: string
}

export type KeyFrom = 'entered' | KeySource['kind']

export const emptyDraft: ProviderDraft = {
  name: '',
  kind: 'openai',
  baseUrl: '',
  key: '',
  forgetKey: false,
  keyFrom: 'entered',
  variable: '',
  command: '',
}

export const draftFromPreset = (preset: Preset): ProviderDraft => ({
  ...emptyDraft,
  name: preset.name,
  kind: preset.kind,
  baseUrl: preset.baseUrl,
  variable: preset.variable ?? '',
})

export const draftFromProvider = ({ id, name, kind, baseUrl, keySource }: Provider): ProviderDraft => ({
  ...emptyDraft,
  id,
  name,
  kind,
  baseUrl,
  keyFrom: keySource?.kind ?? 'entered',
  variable: keySource?.kind === 'environment' ? keySource.name : '',
  command: keySource?.kind === 'command' ? keySource.command : '',
})

/** What is wrong with a draft, as a message for each field. */
export const draftErrors = (draft: ProviderDraft) =>
  fieldErrors({
    name: [draft.name.trim(), providerNameRule],
    baseUrl: addressError(draft.baseUrl.trim()),
    variable: draft.keyFrom === 'environment' && [draft.variable.trim(), variableRule],
    command: draft.keyFrom === 'command' && [draft.command.trim(), keyCommandRule],
    key:
      draft.keyFrom === 'entered' &&
      /\s/.test(draft.key.trim()) &&
      'A key has no spaces. Check that you copied only the key.',
  })

function addressError(address: string): string | undefined {
  if (address === '') return 'Enter the base URL of its API, such as https://api.openai.com/v1.'
  if (!URL.canParse(address)) return 'Enter a URL such as https://api.openai.com/v1.'
  const { protocol, username } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must start with https:// or http://.'
  if (username) return 'Put the key in its own field, not in the URL.'
  return undefined
}

/** Whether an address is on the user's own machine. */
export const isLocal = (address: string) => URL.canParse(address) && isLoopback(new URL(address).hostname)

/** Something that is allowed, but that the user should know before a key is sent. */
export function draftWarning(draft: ProviderDraft, stored: Provider | undefined): string {
  const address = draft.baseUrl.trim()
  if (!URL.canParse(address)) return ''
  const { protocol, host } = new URL(address)
  const withKey = draft.keyFrom !== 'entered' || draft.key.trim() !== '' || (stored?.hasKey ?? false)
  if (protocol === 'http:' && !isLocal(address) && withKey)
    return 'Without https, others on the network can read the key.'
  if (draft.keyFrom !== 'entered') return ''
  const moved = stored?.hasKey && URL.canParse(stored.baseUrl) && new URL(stored.baseUrl).host !== host
  if (moved && draft.key.trim() === '') return 'The stored key belongs to the old URL. Paste a key for this one.'
  return ''
}

/** A draft as main expects it. */
export function toSave(draft: ProviderDraft): CallInput<'provider.save'> {
  const keySource = sourceOf(draft)
  const key = draft.forgetKey || keySource ? '' : draft.key.trim()
  return {
    ...(draft.id === undefined ? {} : { id: draft.id }),
    name: draft.name.trim(),
    kind: draft.kind,
    baseUrl: draft.baseUrl.trim(),
    keySource,
    ...(!keySource && (draft.forgetKey || key) ? { key } : {}),
  }
}

const sourceOf = ({ keyFrom, variable, command }: ProviderDraft): KeySource | null => {
  if (keyFrom === 'environment') return { kind: 'environment', name: variable.trim() }
  return keyFrom === 'command' ? { kind: 'command', command: command.trim() } : null
}

export function toTest(draft: ProviderDraft): CallInput<'provider.test'> {
  const { name: _, ...rest } = toSave(draft)
  return rest
}
