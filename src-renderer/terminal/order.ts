import { type ProcessInfo, waitsForInput } from '../../src-preload/contract/processes'
import { isLiveStatus } from './words'

/** How many ended processes stay visible; the rest fold into "12 earlier". */
const RECENT = 3
/** How many panes are open by default; with more, each would be too small to read. */
const OPEN = 3

export const isLive = (process: ProcessInfo) => isLiveStatus(process.status)

interface DeckOrder {
  shown: ProcessInfo[]
  earlier: ProcessInfo[]
}

/** Running processes first, newest on top, then the latest that ended; older ones are folded. */
export function arrange(processes: ProcessInfo[]): DeckOrder {
  const newest = [...processes].sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
  const live = newest.filter(isLive)
  const ended = newest
    .filter((process) => !isLive(process))
    .sort((a, b) => (b.endedAt ?? b.startedAt) - (a.endedAt ?? a.startedAt))
  return { shown: [...live, ...ended.slice(0, RECENT)], earlier: ended.slice(RECENT) }
}

/**
 * Which panes are open: the user's own choice, otherwise the first few that run, and the latest that ended if there is
 * room, so that a failed command does not fold while the user is reading it. One that waits for the user's input is
 * always open.
 */
export function openPanes(shown: ProcessInfo[], chosen: Record<string, boolean>): Set<string> {
  const open = new Set<string>()
  const live = shown.filter(isLive).slice(0, OPEN)
  const latest = shown.find((process) => !isLive(process))
  const byDefault = latest && live.length < OPEN ? [...live, latest] : live
  for (const process of byDefault) open.add(process.id)
  for (const process of shown) {
    const choice = chosen[process.id]
    if (choice === true || waitsForInput(process)) open.add(process.id)
    else if (choice === false) open.delete(process.id)
  }
  return open
}

/** Panes in the user's order; new ones come first. */
export function inOrder(processes: ProcessInfo[], order: readonly string[]): ProcessInfo[] {
  if (order.length === 0) return processes
  const place = (process: ProcessInfo) => order.indexOf(process.id)
  return [...processes].sort((a, b) => place(a) - place(b))
}

/** Moves one pane to the position of another. */
export function moveTo(ids: readonly string[], moved: string, target: string): string[] {
  const to = ids.indexOf(target)
  if (to < 0 || moved === target || !ids.includes(moved)) return [...ids]
  return ids.filter((id) => id !== moved).toSpliced(to, 0, moved)
}

/** The pane to swap with when one moves by one step; undefined at either end. */
export function besideOf(ids: readonly string[], id: string, step: 1 | -1): string | undefined {
  const index = ids.indexOf(id)
  return index < 0 ? undefined : ids[index + step]
}

/** The next or previous one, cyclically; the first or last if there is no current one. */
export function neighbour(ids: string[], current: string | null, step: 1 | -1): string | undefined {
  const index = current === null ? -1 : ids.indexOf(current)
  if (index < 0) return step === 1 ? ids[0] : ids.at(-1)
  return ids[(index + step + ids.length) % ids.length]
}
