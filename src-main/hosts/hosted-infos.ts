import type { HostedEvent, HostedInfo } from '../../src-preload/contract/hosted'
import type { HostRows } from './host-rows'
import { withUpdate } from './hosted-info'
import type { HostedUpdate } from './updates'

const mostRefused = 20

/** What is known of the agent of each session: kept in its row, and published whenever it changes. */
export interface HostedInfos {
  get(sessionId: string): HostedInfo | null
  set(next: HostedInfo): void
  setState(sessionId: string, state: HostedInfo['state'], problem?: string): void
  /** Takes an update that concerns the info; `false` for one that does not. */
  take(sessionId: string, update: HostedUpdate): boolean
  /** The sandbox has refused a connection to this host. */
  addRefused(sessionId: string, host: string): void
  /** The sandbox lets connections to this host through from now on. */
  addHost(sessionId: string, host: string): void
}

export function createHostedInfos(rows: HostRows, publish: (event: HostedEvent) => void): HostedInfos {
  const infos = new Map<string, HostedInfo>()
  const get: HostedInfos['get'] = (sessionId) => infos.get(sessionId) ?? rows.find(sessionId)?.info ?? null
  const set: HostedInfos['set'] = (next) => {
    infos.set(next.sessionId, next)
    const row = rows.find(next.sessionId)
    if (row) rows.save(next.sessionId, { ...row, info: next })
    publish({ type: 'hosted', info: next })
  }
  return {
    get,
    set,
    setState: (sessionId, state, problem) => {
      const known = get(sessionId)
      if (!known) return
      const { problem: _, ...rest } = known
      set({ ...rest, state, problem })
    },
    take: (sessionId, update) => {
      const known = get(sessionId)
      const changed = known && withUpdate(known, update)
      if (changed) set(changed)
      return Boolean(changed)
    },
    addRefused: (sessionId, host) => {
      const known = get(sessionId)
      if (!known?.cage || known.cage.refused.includes(host) || known.cage.refused.length >= mostRefused) return
      set({ ...known, cage: { ...known.cage, refused: [...known.cage.refused, host] } })
    },
    addHost: (sessionId, host) => {
      const known = get(sessionId)
      if (!known?.cage) return
      const hosts = [...new Set([...known.cage.hosts, host])]
      const refused = known.cage.refused.filter((each) => each !== host)
      set({ ...known, cage: { ...known.cage, hosts, refused } })
    },
  }
}
