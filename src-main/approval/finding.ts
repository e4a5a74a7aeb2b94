import type { Verdict } from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'

/** Something that never runs without a person having typed the word. */
export interface Danger {
  word: 'admin' | 'disk' | 'power' | 'delete' | 'run' | 'secret' | 'push' | 'publish' | 'config' | 'kill' | 'settings'
  reason: string
}

/**
 * How far something goes, apart from modes and rules. `safe` reads what the session may read; `caged` runs where
 * nothing can be changed; `contained` is held by the sandbox, or by the cage with the workspace writable; `edit` changes ordinary files of the workspace; `ask` is anything else; `leave` would have to leave the
 * sandbox and asks in every mode, unless a rule speaks for it; `hold` asks in every mode; `danger` asks for a typed word as
 * well; `deny` never runs.
 */
type Level = 'safe' | 'caged' | 'contained' | 'edit' | 'ask' | 'leave' | 'hold' | 'danger' | 'deny'

export interface Finding {
  level: Level
  /** In plain words. */
  reason: string
  /** What the user has to type, for `danger`. */
  word?: string
}

const ALLOWED: Record<ApprovalMode, ReadonlySet<Level>> = {
  ask: new Set(),
  safe: new Set(['safe', 'caged', 'contained']),
  workspace: new Set(['safe', 'caged', 'contained', 'edit']),
  all: new Set(['safe', 'caged', 'contained', 'edit', 'ask']),
  'read-only': new Set(['safe', 'caged']),
  plan: new Set(['safe', 'caged']),
}

/** What a mode alone says. */
export function modeVerdict(level: Level, mode: ApprovalMode): Verdict {
  if (level === 'deny') return 'deny'
  if (ALLOWED[mode].has(level)) return 'allow'
  return onlyReads(mode) ? 'deny' : 'ask'
}

/** Nothing is asked in it: what is more than reading is refused, whatever rules there are. */
export const onlyReads = (mode: ApprovalMode): boolean => mode === 'read-only' || mode === 'plan'

/** Why such a mode refuses something. */
export const readsOnlyReason = (mode: ApprovalMode): string =>
  mode === 'plan' ? 'Nothing can be changed until the user approves a plan.' : 'This session is read-only.'

const ORDER: readonly Level[] = ['safe', 'caged', 'contained', 'edit', 'ask', 'leave', 'hold', 'danger', 'deny']

export const worse = (one: Finding, other: Finding): Finding =>
  ORDER.indexOf(other.level) > ORDER.indexOf(one.level) ? other : one
