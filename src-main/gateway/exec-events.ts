import type { Hub, NodeLink } from './hub'
import type { ExecEvent } from './invoke'
import { execEvent } from './wire'

const keptMs = 24 * 60 * 60 * 1000
const maxKept = 20_000

/** Delivers what nodes report about background commands. Each event is delivered once, even if it is sent again. */
export function createExecEvents(options: {
  hub: Hub
  clock: () => number
  /** True for sessions from an earlier run of the app, which are recognized by their process. */
  isKnown(nodeId: string, sessionId: string): boolean
  deliver(event: ExecEvent): void
}) {
  const { hub, clock } = options
  const sessions = new Map<string, { at: number; callId: string }>()
  const seen = new Map<string, number>()
  const keyOf = (nodeId: string, sessionId: string): string => `${nodeId}\n${sessionId}`

  hub.method('node.exec.event', execEvent, (link, event) => {
    if (seen.has(event.eventId)) return { ok: true, duplicate: true }
    const known = sessions.get(keyOf(link.id, event.sessionId))
    if (!known && !options.isKnown(link.id, event.sessionId)) return { ok: true, dropped: true }
    remember(seen, event.eventId, clock(), clock())
    const { exitCode, signal, outputTail, startedAt, endedAt, callId } = event
    options.deliver({
      eventId: event.eventId,
      nodeId: link.id,
      sessionId: event.sessionId,
      event: event.event,
      callId: callId ?? known?.callId,
      exitCode,
      signal,
      outputTail: outputTail?.slice(-4000),
      startedAt,
      endedAt,
    })
    return { ok: true }
  })

  return {
    noteRunning(link: NodeLink, sessionId: string, callId: string): void {
      remember(sessions, keyOf(link.id, sessionId), { at: clock(), callId }, clock())
    },
  }
}

function remember<V extends number | { at: number }>(map: Map<string, V>, key: string, value: V, now: number): void {
  map.delete(key)
  map.set(key, value)
  for (const [oldest, held] of map) {
    const at = typeof held === 'number' ? held : held.at
    if (map.size <= maxKept && now - at < keptMs) return
    map.delete(oldest)
  }
}
