import { isReservedName, nodeNameRule, problemWith } from '../../src-preload/contract/field-rules'
import type { GatewayInfo, NodeInfo, Transfer } from '../../src-preload/contract/nodes'
import { bytes, relativeTime } from '../state/format'

type Tone = 'good' | 'wait' | 'idle'

export const toneOf = (node: NodeInfo): Tone =>
  node.state === 'connected' ? 'good' : node.state === 'expected' || node.backend?.connecting ? 'wait' : 'idle'

/** The state of a node, in a few words. */
export function stateWords(node: NodeInfo, now: number): string {
  if (node.state === 'connected') return node.latencyMs === null ? 'online' : `online, ${latency(node.latencyMs)}`
  if (node.state === 'expected') return 'waiting for its first connection'
  if (node.backend?.connecting) return 'connecting…'
  return node.lastSeenAt === null ? 'offline' : `offline, last seen ${relativeTime(node.lastSeenAt, now)}`
}

const latency = (ms: number) => (ms < 1 ? 'under 1 ms' : `${Math.round(ms)} ms`)

const systems = { linux: 'Linux', darwin: 'macOS', windows: 'Windows' } as const

export const systemName = (os: NodeInfo['os']) => (os === null ? 'unknown' : systems[os])

/** This machine first, then connected ones, each group by name. */
export function sortedNodes(nodes: NodeInfo[]): NodeInfo[] {
  const rank = (node: NodeInfo) => (node.local ? 0 : node.state === 'connected' ? 1 : 2)
  return [...nodes].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

/** Where the gateway listens, in one sentence. */
export function gatewayWords(gateway: GatewayInfo): string {
  if (gateway.problem) return gateway.problem
  if (!gateway.enabled) return 'Off. No other machine can connect.'
  if (gateway.url === null) return 'Not listening. Starts when you add your first node.'
  if (gateway.loopback) return 'Accepts connections from this machine only.'
  return gateway.pin === null
    ? 'Accepts connections from any machine that can reach this one. Traffic is encrypted with your certificate.'
    : 'Accepts connections from any machine that can reach this one. Traffic is encrypted; each node’s command carries the pin that it checks.'
}

/** Why this cannot be the name of a node, or undefined. Main also refuses names of MCP servers, which are not known here. */
export function nodeNameError(name: string, taken: string[]): string | undefined {
  if (name === '') return 'Enter a short name, such as the machine’s.'
  if (isReservedName(name)) return 'This name is reserved.'
  if (taken.includes(name)) return 'A node with this name already exists.'
  return problemWith(name, nodeNameRule)
}

interface LogRow {
  time: string
  level: 'debug' | 'info' | 'warn' | 'error'
  text: string
}

/** A JSON line of a node's log in readable form; anything else stays as it is. */
export function logRow(line: string): LogRow {
  try {
    const { time, level, message, ...rest }: Record<string, unknown> = JSON.parse(line)
    if (typeof message !== 'string') return { time: '', level: 'info', text: line }
    const more = Object.entries(rest)
      .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ')
    return {
      time: typeof time === 'string' ? time.slice(11, 19) : '',
      level: level === 'debug' || level === 'warn' || level === 'error' ? level : 'info',
      text: more ? `${message}  ${more}` : message,
    }
  } catch {
    // A truncated line, or one that something else wrote into the log.
    return { time: '', level: 'info', text: line }
  }
}

/** The progress of a transfer, its speed, and the time left. */
export function transferWords(transfer: Transfer): string {
  const { state, size } = transfer
  if (state === 'failed') return transfer.error ?? 'Failed.'
  if (state === 'done') return `${bytes(transfer.bytes)} in ${seconds((transfer.endedAt ?? 0) - transfer.startedAt)}`
  if (state === 'starting') return 'Starting…'
  const done = size === null ? bytes(transfer.bytes) : `${bytes(transfer.bytes)} of ${bytes(size)}`
  if (transfer.bytesPerSecond <= 0) return done
  const speed = `${done}, ${bytes(Math.round(transfer.bytesPerSecond))}/s`
  if (size === null) return speed
  return `${speed}, ${seconds(((size - transfer.bytes) / transfer.bytesPerSecond) * 1000)} left`
}

function seconds(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1000))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

const shownEnded = 5

/** The running transfers, and the last few that have ended. */
export function shownTransfers(transfers: Transfer[]): Transfer[] {
  const newestFirst = [...transfers].sort((a, b) => b.startedAt - a.startedAt)
  const isEnded = ({ state }: Transfer) => state === 'done' || state === 'failed'
  return [...newestFirst.filter((entry) => !isEnded(entry)), ...newestFirst.filter(isEnded).slice(0, shownEnded)]
}
