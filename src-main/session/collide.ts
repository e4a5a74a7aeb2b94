import { relative, resolve } from 'node:path'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { Access, Decision } from '../approval/types'
import type { Collision } from '../collisions/collisions'
import type { Stale } from '../collisions/sightings'
import { ToolFailure } from '../tools/tool'
import type { RunnerCore } from './runner-core'

/** The paths that a call names as read, or as changed; a command's as far as the gate has understood it. */
export const pathsOf = (
  { paths = [], node, workspace }: Access,
  decision: Decision | null,
  reads: boolean,
): string[] => {
  if (node !== 'local') return []
  const targets = decision?.targets.flatMap((each) => (each.kind === 'path' ? [each] : [])) ?? []
  const wanted = [...paths, ...targets].filter(({ access }) => (access === 'read') === reads).map(({ path }) => path)
  const effects = reads
    ? []
    : (decision?.subCommands ?? []).flatMap(({ effects: each }) => [...(each?.writes ?? []), ...(each?.deletes ?? [])])
  // What the card names from the workspace on; a place in the home folder is nobody's workspace.
  const named = effects.filter((path) => !path.startsWith('~')).map((path) => resolve(workspace, path))
  return [...new Set([...wanted, ...named])]
}

/**
 * The files that a call of a file tool would change, if they are on this machine. A command's are left out: programs that
 * run beside it may write to them all the time.
 */
export const namedFiles = ({ paths = [], node, command, argv }: Access): string[] =>
  node === 'local' && command === undefined && argv === undefined
    ? paths.filter(({ access }) => access !== 'read').map(({ path }) => path)
    : []

/**
 * Who changed files that are not what the session last saw. Our other processes write down what they change, so that their
 * sessions are known by name. A change that nobody wrote down counts only where the call would throw it away.
 */
export async function changedElsewhere(
  { options: { receipts, store } }: RunnerCore,
  sessionId: string,
  { paths = [] }: Access,
  stale: readonly Stale[],
): Promise<Collision[]> {
  if (!receipts || stale.length === 0) return []
  await receipts.settled()
  const rootOf = (id: string): string => store.sessions.lineage(id).at(-1) ?? id
  const family = rootOf(sessionId)
  const left = receipts.leftBy(stale.map(({ path }) => path))
  const thrownAway = paths.some(({ access, whole }) => access === 'delete' || whole)
  return stale.flatMap(({ path, since, seen }): Collision[] => {
    const writer = left.get(path) ?? receipts.workingElsewhere(path)
    if (writer) return rootOf(writer) === family ? [] : [{ path, since, sessionId: writer }]
    return seen && thrownAway ? [{ path, since, sessionId: null }] : []
  })
}

/** What another session did, for the question: in words, and as the difference that it made. */
export interface Clash {
  reason: string
  diffs: FileDiff[]
}

export async function clashOf(core: RunnerCore, access: Access, found: readonly Collision[]): Promise<Clash | null> {
  const [first] = found
  if (!first) return null
  const { receipts } = core.options
  await receipts?.settled()
  const diffs = found.flatMap(({ path, sessionId, since }) => {
    const diff = sessionId === null ? null : receipts?.changeSince(sessionId, path, since)
    return diff ? [{ ...diff, by: nameOf(core, sessionId) }] : []
  })
  const names = found.map(({ path }) => shortName(path, access.workspace))
  return {
    reason: `${sentence(nameOf(core, first.sessionId))} changed ${listed(names)} after this session last read ${found.length === 1 ? 'it' : 'them'}`,
    diffs,
  }
}

/** What the model reads when it came too late: nothing was done. */
export function tooLate(core: RunnerCore, workspace: string, found: readonly Collision[]): ToolFailure {
  const [first] = found
  const names = listed(found.map(({ path }) => shortName(path, workspace)))
  const who = first ? nameOf(core, first.sessionId) : 'Another session'
  return new ToolFailure(
    'ExecutionFailed',
    `Nothing was changed: ${who} changed ${names} a moment ago. Read it again, then decide.`,
  )
}

const nameOf = ({ options }: RunnerCore, sessionId: string | null): string => {
  if (sessionId === null) return 'another program'
  const title = options.store.sessions.find(sessionId)?.title
  return title ? `the session “${title}”` : 'another session'
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

const shortName = (path: string, workspace: string): string => {
  const short = relative(workspace, path)
  return short.startsWith('..') ? path : short
}

const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
