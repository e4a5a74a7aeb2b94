import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Collisions } from '../collisions/collisions'
import type { Engine } from '../engine'

interface NeighbourParts extends Pick<Engine, 'store' | 'runner' | 'receipts' | 'table' | 'subscribe'> {
  collisions: Collisions
}

const mostNamed = 8

/**
 * Tells sessions that work in one folder at the same time of each other: who is there, what it has changed, and which
 * ports it holds. What a command went over that another session had changed is told to both. Nothing is read while a
 * session is alone.
 */
export function followNeighbours({ collisions, store, runner, receipts, subscribe }: NeighbourParts): void {
  /** Sessions whose turn runs, by folder. */
  const working = new Map<string, Set<string>>()
  const told = new Set<string>()
  const placed = new Map<string, string>()

  const titleOf = (sessionId: string): string => store.sessions.find(sessionId)?.title || 'New session'

  const alone = (folder: string): boolean => (working.get(folder)?.size ?? 0) < 2

  /** What one session should know of another. */
  const factsOf = (sessionId: string): string => {
    const list = receipts.list(sessionId)
    const files = [...new Set(list.flatMap(({ callId }) => receipts.get(callId)?.files.map(({ path }) => path) ?? []))]
    const ports = [...new Set(list.flatMap((each) => each.ports.map(({ port }) => port)))]
    const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
    return [
      files.length > 0 ? ` It has changed ${files.slice(0, mostNamed).join(', ')}${more}.` : '',
      ports.length > 0 ? ` It holds ${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}.` : '',
    ].join('')
  }

  const introduce = (sessionId: string, other: string): void => {
    const key = `${sessionId} ${other}`
    if (told.has(key)) return
    told.add(key)
    const facts = factsOf(other)
    runner.tell(
      sessionId,
      `Another session, “${titleOf(other)}”, works in this folder at the same time.${facts} Read files again before you change them, and use other ports.`,
      `“${titleOf(other)}” is working in this folder too.${facts}`,
    )
  }

  const meet = (sessionId: string, workspace: string): void => {
    // Told many times in a turn; only the first counts.
    if (placed.get(sessionId) === workspace) return
    leave(sessionId)
    placed.set(sessionId, workspace)
    const folder = canonical(workspace)
    const here = working.get(folder) ?? new Set()
    working.set(folder, here)
    here.add(sessionId)
    if (here.size < 2) return
    const root = store.sessions.lineage(sessionId).at(-1)
    for (const other of here) {
      if (other === sessionId || store.sessions.lineage(other).at(-1) === root) continue
      introduce(sessionId, other)
      introduce(other, sessionId)
    }
  }

  const leave = (sessionId: string): void => {
    if (!placed.delete(sessionId)) return
    for (const [folder, here] of working) {
      here.delete(sessionId)
      if (here.size === 0) working.delete(folder)
    }
  }

  /** Who wrote what is known only after a command; what it went over is told at least. */
  const follow = (callId: string, sessionId: string, workspace: string): void => {
    const paths = receipts.get(callId)?.files.map(({ path }) => join(workspace, path)) ?? []
    for (const { path, sessionId: other } of collisions.changed(callId, sessionId, paths)) {
      const words = `A command of “${titleOf(sessionId)}” changed ${path}, which “${titleOf(other)}” had changed before.`
      for (const id of [sessionId, other]) runner.tell(id, `${words} Look at it again.`, words)
    }
  }

  subscribe((event) => {
    if (event.type === 'session-removed') leave(event.sessionId)
    if (event.type === 'session') {
      const { id, status, workspace } = event.session
      if (status === 'idle' || status === 'interrupted') leave(id)
      else meet(id, workspace)
    }
    if (event.type === 'receipt' && event.receipt.state === 'done' && !alone(event.receipt.workspace)) {
      const { callId, sessionId, workspace, created, changed, deleted } = event.receipt
      if (created + changed + deleted > 0) follow(callId, sessionId, workspace)
    }
  })
}

const canonical = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
