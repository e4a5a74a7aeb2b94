/** The names of sessions that others can address: `agent:{agentId}:…`. Pure text, no rows. */

import type { DmScope, PeerKind } from '../src-preload/contract/channels'

export const defaultAgent = 'main'
const defaultMainKey = 'main'
const longestAgentId = 64

interface Peer {
  channel: string
  accountId?: string
  kind: PeerKind
  id: string
}

export interface KeyRules {
  /** The last part of an agent's main session; `main` when left out. */
  mainKey?: string
  dmScope?: DmScope
  /** One person under several addresses: the canonical id, and the `channel:id` or bare ids that mean it. */
  identityLinks?: Readonly<Record<string, readonly string[]>>
}

/** Whatever somebody calls an agent, as an id: lower case, `a-z 0-9 _ -`, at most 64 characters, `main` if nothing is left. */
export function agentIdFrom(text: string): string {
  const id = text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, longestAgentId)
  return id || defaultAgent
}

export const mainSessionKey = (agentId: string, { mainKey = defaultMainKey }: KeyRules = {}): string =>
  `agent:${agentIdFrom(agentId)}:${mainKey}`

export const cronSessionKey = (agentId: string, jobId: string): string =>
  `agent:${agentIdFrom(agentId)}:cron:${part(jobId)}`

/** The session that messages of a peer belong to. */
export function peerSessionKey(agentId: string, peer: Peer, rules: KeyRules = {}): string {
  const agent = `agent:${agentIdFrom(agentId)}`
  const channel = part(peer.channel.toLowerCase())
  if (peer.kind !== 'dm') return `${agent}:${channel}:${peer.kind}:${part(peer.id)}`
  const id = part(canonicalPeer(peer, rules.identityLinks))
  switch (rules.dmScope ?? 'main') {
    case 'main':
      return mainSessionKey(agentId, rules)
    case 'per-peer':
      return `${agent}:dm:${id}`
    case 'per-channel-peer':
      return `${agent}:${channel}:dm:${id}`
    case 'per-account-channel-peer':
      return `${agent}:${channel}:${part(peer.accountId ?? 'default')}:dm:${id}`
  }
}

/**
 * A key as somebody wrote it, in its one canonical form: `main` is the main session of the default agent, and a key of an
 * agent has its id normalised. `null` for anything that is not the form of a key.
 */
export function canonicalKey(text: string, { mainKey = defaultMainKey }: KeyRules = {}): string | null {
  const key = text.trim()
  if (key === defaultMainKey || key === mainKey) return mainSessionKey(defaultAgent, { mainKey })
  const found = /^agent:([^:]+):(.+)$/i.exec(key)
  if (!found) return null
  const [, agent = '', rest = ''] = found
  // Also the alias after an agent's name: `agent:helper:main` whatever the main key is called.
  return rest === defaultMainKey ? mainSessionKey(agent, { mainKey }) : `agent:${agentIdFrom(agent)}:${rest}`
}

/** Of a canonical key. */
export const agentOfKey = (key: string): string => /^agent:([^:]+):/.exec(key)?.[1] ?? defaultAgent

function canonicalPeer(peer: Peer, links: KeyRules['identityLinks'] = {}): string {
  const names = [`${peer.channel.toLowerCase()}:${peer.id}`, peer.id]
  const linked = Object.entries(links).find(([, aliases]) => names.some((name) => aliases.includes(name)))
  return linked?.[0] ?? peer.id
}

/** A colon would begin another part of the key. */
const part = (text: string): string => text.trim().replace(/:/g, '_') || 'unknown'

export const isJobKey = (key: string): boolean => /^agent:[^:]+:cron:/.test(key)
