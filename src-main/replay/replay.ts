import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Cast, Replay, ReplayTerminal } from '../../src-preload/contract/replay'
import type { ProcessTable } from '../nodes/process-table'
import { readTimeLog } from '../pty-host/time-log'
import type { Store } from '../session/store'
import { maxCastBytes, readCast } from './cast'
import { replayMessages } from './chat'
import { cleanReplay } from './clean'
import { htmlOf, type Player } from './html'

/** Joins moments that are no further apart than this into one span of activity. */
const joinMs = 1000

const maxMessages = 5000
/** Of all terminals in one exported file. */
const maxExportBytes = 48 * 1024 * 1024
/** What each gets at least. */
const leastCastBytes = 128 * 1024

interface ReplayDeps {
  store: Store
  table: Pick<ProcessTable, 'list' | 'get' | 'logPath'>
  /** Takes known secrets out of a text. */
  clean(text: string): string
  now(): number
}

/** Sessions as they can be played again, in the window or from one file. */
export interface Replays {
  /** Without what the terminals showed. */
  load(sessionId: string): Replay
  cast(processId: string): Promise<Cast>
  /** One file that needs nothing else. */
  html(sessionId: string, player: Player): Promise<string>
}

export function createReplays({ store, table, clean, now }: ReplayDeps): Replays {
  const terminalOf = (info: ProcessInfo): ReplayTerminal => {
    const { id, command, node, byUser, startedAt, endedAt, exitCode } = info
    const moments = readTimeLog(table.logPath(id)).map(({ at }) => at)
    const active = spansOf([startedAt, ...moments, ...(endedAt === null ? [] : [endedAt])])
    return { id, command, node, byUser, startedAt, endedAt, exitCode, active }
  }

  /** The session's own and those of its sub-agents. */
  const processesOf = (sessionId: string): ProcessInfo[] => {
    const family = new Set([sessionId])
    const all = store.sessions.list()
    // A set is walked through to its end, also to what is added on the way.
    for (const member of family) for (const { id, parentId } of all) if (parentId === member) family.add(id)
    return [...family].flatMap((id) => table.list(id)).sort((a, b) => a.startedAt - b.startedAt)
  }

  const load = (sessionId: string): Replay => {
    const session = store.sessions.get(sessionId)
    const { messages, calls, total } = store.messages.page(sessionId, undefined, maxMessages)
    const terminals = processesOf(sessionId).map(terminalOf)
    const shown = replayMessages(messages, calls)
    const ends = [
      ...shown.map(({ at }) => at),
      ...calls.flatMap(({ endedAt }) => endedAt ?? []),
      ...terminals.flatMap(({ active }) => active.map(([, to]) => to)),
    ]
    const starts = [...shown.slice(0, 1).map(({ at }) => at), ...terminals.map(({ startedAt }) => startedAt)]
    const start = starts.length > 0 ? Math.min(...starts) : session.createdAt
    return {
      title: session.title || 'New session',
      start,
      end: Math.min(
        now(),
        ends.reduce((latest, end) => Math.max(latest, end), start),
      ),
      messages: shown,
      terminals,
      omitted: total - messages.length,
    }
  }

  return {
    load,
    cast(processId) {
      const info = table.get(processId)
      if (!info) throw new Error('This terminal no longer exists.')
      return readCast(table.logPath(processId), info)
    },
    async html(sessionId, player) {
      const replay = load(sessionId)
      let left = maxExportBytes
      const terminals: ReplayTerminal[] = []
      // The latest first: where not everything has room, it is what was seen last.
      for (const terminal of replay.terminals.toReversed()) {
        const info = table.get(terminal.id)
        if (!info) continue
        const cast = await readCast(
          table.logPath(terminal.id),
          info,
          Math.max(leastCastBytes, Math.min(left, maxCastBytes)),
        )
        left -= cast.events.reduce((sum, event) => sum + (event[1] === 'output' ? event[2].length : 0), 0)
        terminals.unshift({ ...terminal, cast })
      }
      return htmlOf(cleanReplay({ ...replay, terminals }, clean), player)
    },
  }
}

/** Spans in which something happened, from moments in any order. */
function spansOf(moments: readonly number[]): [from: number, to: number][] {
  const spans: [number, number][] = []
  for (const moment of [...moments].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && moment - last[1] <= joinMs) last[1] = moment
    else spans.push([moment, moment])
  }
  return spans
}
