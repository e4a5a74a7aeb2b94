import { dirname } from 'node:path/posix'
import type { Action, RuleMatch, RuleScope } from '../../../src-preload/contract/approval'
import { changeTrouble } from '../checks/edits'
import { isInside, type Places, shortPath } from '../paths/paths'
import type { OfferedRule, RuleTarget } from '../types'
import { boundName } from './bound-content'
import { familiesOf } from './families'
import { exactOnly } from './rules'
import { toolWords } from './tool-words'

const WHERE: Record<RuleScope, string> = {
  process: 'for this process',
  session: 'in this session',
  workspace: 'in this workspace',
  everywhere: 'everywhere',
}

const typingOffer: OfferedRule = {
  scope: 'process',
  matches: [{ kind: 'tool', key: 'process.type' }],
  sentence: 'Allow typing anything into this program until it exits',
}

/** Rules that would have let these targets through, narrowest first, each in the words that the user agrees to. */
export function offerRules(
  targets: readonly RuleTarget[],
  action: Action,
  places: Places,
  /** Folders that only have to be open to reading. */
  toRead: readonly string[] = [],
): OfferedRule[] {
  if (targets.length === 0) return []
  const offer = (scope: RuleScope, matches: RuleMatch[], what: string): OfferedRule => ({
    scope,
    matches,
    sentence: `${scope === 'session' || scope === 'process' ? 'Allow' : 'Always allow'} ${what} ${WHERE[scope]}${condition(targets)}`,
  })
  if (targets.some((target) => target.kind === 'tool' && target.key === 'process.type')) return [typingOffer]
  const exact = targets.map((target) => exactMatch(target, places))
  const what = listed(targets.map((target) => describe(target, action, places)))
  const offers = (['session', 'workspace', 'everywhere'] as const).map((scope) => offer(scope, exact, what))
  const common = commonFolder(targets, places)
  const folders = common === null ? toRead : [common]
  if (folders.length > 0) {
    const matches = folders.map((path): RuleMatch => ({ kind: 'path', path, recursive: true }))
    const reads = action === 'read' || common === null
    const where = listed(folders.map((path) => shortPath(path, places)))
    const all = `${reads ? 'reading' : 'changing and deleting'} everything in ${where}`
    const about = common === null ? { action: 'read' as const } : {}
    const sentence = (scope: 'session' | 'workspace'): string =>
      scope === 'session' ? `Allow ${all} in this session` : `Always allow ${all} from this workspace`
    offers.splice(1, 0, { scope: 'session', matches, sentence: sentence('session'), ...about })
    offers.splice(3, 0, { scope: 'workspace', matches, sentence: sentence('workspace'), ...about })
  }
  const family = familyOffer(targets, places) ?? filesOffer(targets, places)
  if (family)
    offers.splice(
      offers.findIndex(({ scope }) => scope === 'everywhere'),
      0,
      family,
    )
  const [only] = targets
  if (targets.length > 1 || !only) return offers
  if (only.kind === 'command') {
    const [program = '', second] = only.argv
    if (second !== undefined && only.argv.length > 2 && /^[a-z][\w:-]*$/.test(second) && !exactOnly(program)) {
      const match: RuleMatch = { ...exactMatch(only, places), kind: 'prefix', argv: [program, second] }
      offers.splice(
        2,
        0,
        offer('workspace', [match], `\`${program} ${second}\` with any arguments but no extra options,`),
      )
    }
  }
  return offers
}

/** What people mean by it: every part of the command belongs to a family. */
function familyOffer(targets: readonly RuleTarget[], places: Places): OfferedRule | null {
  const found = targets.map((target) => (target.kind === 'command' ? familiesOf(target, places)[0] : undefined))
  const families = found.flatMap((each) => each ?? [])
  if (families.length < targets.length) return null
  const different = [...new Map(families.map((each) => [each.words, each])).values()]
  const conditions = [...new Set(different.map(({ condition }) => condition))].join(' and')
  return {
    scope: 'workspace',
    matches: different.map(({ match }) => match),
    sentence: `Always allow ${listed(different.map(({ words }) => words))} ${WHERE.workspace}${conditions}`,
  }
}

/** Every everyday file below a folder of the workspace that holds all of these. */
function filesOffer(targets: readonly RuleTarget[], places: Places): OfferedRule | null {
  const { workspace } = places
  const tops = targets.map((target) => {
    if (target.kind !== 'path' || target.access !== 'write' || !isInside(target.path, workspace)) return null
    const [top = '', ...below] = target.path.slice(workspace.length + 1).split('/')
    return below.length > 0 && /^[\w-][\w .-]*$/.test(top) && changeTrouble(target.path, places) === null ? top : null
  })
  const [top] = tops
  if (top == null || tops.some((each) => each !== top)) return null
  return {
    scope: 'workspace',
    matches: [{ kind: 'files', folder: `${workspace}/${top}` }],
    sentence: `Always allow creating and changing any file in \`${top}/\`, but not deleting, ${WHERE.workspace}`,
  }
}

/** The folder that all of them are in. */
function commonFolder(targets: readonly RuleTarget[], places: Places): string | null {
  const folders = targets.map((target) => (target.kind === 'path' ? ownFolder(target.path, places) : null))
  const shortest = folders.reduce((one, other) =>
    one === null || other === null || isInside(other, one) ? one : other,
  )
  return shortest !== null && folders.every((folder) => folder !== null && isInside(folder, shortest)) ? shortest : null
}

/** The folder of a path, where it is outside the workspace and somebody's own rather than a whole system. */
export function ownFolder(path: string, { files, workspace }: Places): string | null {
  const folder = files.lstat(path)?.kind === 'directory' ? path : dirname(path)
  const narrow = isInside(folder, files.home) ? folder !== files.home : folder.split('/').length > 3
  return narrow && !isInside(folder, workspace) && !isInside(workspace, folder) ? folder : null
}

function exactMatch(target: RuleTarget, places: Places): RuleMatch {
  switch (target.kind) {
    case 'command': {
      const { argv, program, cwd, bound } = target
      return {
        kind: 'argv',
        argv: [...argv],
        ...(program !== null && { program }),
        ...(cwd !== null && cwd !== places.workspace && { cwd }),
        ...(bound && { bound: [...bound] }),
      }
    }
    case 'path':
      return { kind: 'path', path: target.path, recursive: false }
    case 'host':
      return { kind: 'host', host: target.host }
    case 'tool':
      return { kind: 'tool', key: target.key }
  }
}

function condition(targets: readonly RuleTarget[]): string {
  const names = [
    ...new Set(targets.flatMap((target) => (target.kind === 'command' ? (target.bound ?? []) : [])).map(boundName)),
  ]
  if (names.length === 0) return ''
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more files`] : names
  return ` while ${listed(shown.map((name) => (name.includes(' ') ? name : `\`${name}\``)))} ${names.length > 1 ? 'are' : 'is'} unchanged`
}

function describe(target: RuleTarget, action: Action, places: Places): string {
  switch (target.kind) {
    case 'command':
      return `\`${target.argv.map(quoted).join(' ')}\``
    case 'path':
      return `${target.access === 'delete' ? 'deleting' : action === 'read' ? 'reading' : 'changing'} ${shortPath(target.path, places)}`
    case 'host':
      return `connections to ${target.host}`
    case 'tool':
      return toolWords(target.key)
  }
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
const listed = (items: string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
