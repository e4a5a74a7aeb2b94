import type { ChannelInfo, ChannelKind, SenderPolicy } from '../../src-preload/contract/channels'
import { channelNameRule, isWebAddress, signingKeyRule } from '../../src-preload/contract/field-rules'
import type { CallInput } from '../../src-preload/contract/ipc'
import { fieldErrors, ifTyped } from '../page/field-errors'

type AddableKind = Exclude<ChannelKind, 'app'>
export type SecretName = 'token' | 'url' | 'signingKey'

/** A channel while it is edited: the contents of the fields. */
export interface ChannelDraft {
  /** Whether it is already saved; then its name and kind are fixed. */
  stored: boolean
  channel: string
  accountId: string
  kind: AddableKind
  /** What was typed; empty keeps the stored one, if there is one. */
  token: string
  url: string
  signingKey: string
  forget: Record<SecretName, boolean>
  baseUrl: string
  defaultTo: string
  inbound: boolean
  agentId: string
  policy: SenderPolicy
  /** One sender per line. */
  allowFrom: string
}

interface KindFacts {
  label: string
  hint: string
  /** The secrets it has, with labels and hints; the first one is required. */
  secrets: readonly { name: SecretName; label: string; hint: string }[]
  canReceive: boolean
  /** What `defaultTo` means here; absent if the address already says it. */
  to?: string
}

export const kinds: Record<AddableKind, KindFacts> = {
  slack: {
    label: 'Slack',
    hint: 'Sends through an incoming webhook of a Slack app.',
    secrets: [
      { name: 'url', label: 'Webhook', hint: 'From the app’s “Incoming Webhooks” page. Anyone who has it can post.' },
    ],
    canReceive: false,
  },
  discord: {
    label: 'Discord',
    hint: 'Sends through a webhook of a Discord channel.',
    secrets: [
      {
        name: 'url',
        label: 'Webhook',
        hint: 'From the channel’s settings, under Integrations. Anyone who has it can post.',
      },
    ],
    canReceive: false,
  },
  telegram: {
    label: 'Telegram',
    hint: 'Sends and receives messages as a bot.',
    secrets: [{ name: 'token', label: 'Bot token', hint: 'From @BotFather, such as 123456:ABC…' }],
    canReceive: true,
    to: 'A chat id: a number, or @channelname',
  },
  webhook: {
    label: 'Webhook',
    hint: 'Posts signed JSON to your URL, and can receive it the same way.',
    secrets: [
      { name: 'url', label: 'URL', hint: 'Where messages are posted.' },
      {
        name: 'signingKey',
        label: 'Signing key',
        hint: 'Both sides use it to prove who they are. Make it long and random.',
      },
    ],
    canReceive: true,
    to: 'Sent with each message for your program to read',
  },
}

export const emptyDraft = (kind: AddableKind, taken: string[]): ChannelDraft => ({
  stored: false,
  channel: freeName(kind, taken),
  accountId: 'default',
  kind,
  token: '',
  url: '',
  signingKey: '',
  forget: { token: false, url: false, signingKey: false },
  baseUrl: '',
  defaultTo: '',
  inbound: false,
  agentId: 'main',
  policy: 'pairing',
  allowFrom: '',
})

function freeName(kind: AddableKind, taken: string[]): string {
  if (!taken.includes(kind)) return kind
  for (let number = 2; ; number++) if (!taken.includes(`${kind}-${number}`)) return `${kind}-${number}`
}

export const draftFromChannel = (info: ChannelInfo, kind: AddableKind): ChannelDraft => ({
  ...emptyDraft(kind, []),
  stored: true,
  channel: info.channel,
  accountId: info.accountId,
  baseUrl: info.baseUrl ?? '',
  defaultTo: info.defaultTo ?? '',
  inbound: info.inbound,
  agentId: info.agentId,
  policy: info.policy,
  allowFrom: info.allowFrom.join('\n'),
})

/** What is wrong with a draft, as a message for each field. */
export function draftErrors(draft: ChannelDraft, stored: ChannelInfo | undefined, taken: string[]) {
  const isKept = (name: SecretName) => stored?.secrets[name] === true && !draft.forget[name]
  const missing = (name: SecretName) => draft[name].trim() === '' && !isKept(name)
  const isWebhook = draft.kind === 'webhook'
  const needed = kinds[draft.kind].secrets[0]
  // A webhook may be used only to receive messages.
  const asked = needed && missing(needed.name) && !(isWebhook && draft.inbound) ? needed : undefined
  const enter = asked && `Enter the ${asked.label === 'URL' ? 'URL' : asked.label.toLowerCase()}.`
  const isTaken = taken.includes(draft.channel)
  return fieldErrors({
    channel: !draft.stored && (isTaken ? 'A channel with this name already exists.' : [draft.channel, channelNameRule]),
    token: asked?.name === 'token' && enter,
    url: asked?.name === 'url' ? enter : wrongAddress(draft.url),
    baseUrl: wrongAddress(draft.baseUrl),
    signingKey:
      isWebhook &&
      (missing('signingKey')
        ? 'Enter a signing key. Without it neither side can prove who it is.'
        : ifTyped(draft.signingKey, signingKeyRule)),
  })
}

const wrongAddress = (text: string) =>
  text.trim() !== '' && !isWebAddress(text.trim()) && 'Enter a URL that starts with https://.'

/** As long as the hash it is used with. */
const keyBytes = 32

/** A random signing key, in characters that no form or shell changes. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(keyBytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A draft as main expects it: unchanged secrets are left out, forgotten ones are empty. */
export function toSave(draft: ChannelDraft): CallInput<'channel.save'> {
  const secrets: Partial<Record<SecretName, string>> = {}
  for (const { name } of kinds[draft.kind].secrets) {
    const typed = draft[name].trim()
    if (draft.forget[name]) secrets[name] = ''
    else if (typed) secrets[name] = typed
  }
  return {
    channel: draft.channel,
    accountId: draft.accountId,
    kind: draft.kind,
    baseUrl: draft.baseUrl.trim(),
    defaultTo: draft.defaultTo.trim(),
    inbound: draft.inbound && kinds[draft.kind].canReceive,
    agentId: draft.agentId,
    policy: draft.policy,
    allowFrom: senders(draft.allowFrom),
    ...secrets,
  }
}

const senders = (text: string) => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
