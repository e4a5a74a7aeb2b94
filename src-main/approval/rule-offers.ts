import { dirname } from 'node:path/posix'
import type { Action, RuleMatch, RuleScope } from '../../src-preload/contract/approval'
import { boundName } from './bound-content'
import { isInside, type Places, shortPath } from './paths'
import { exactOnly } from './rules'
import { toolWords } from './tool-words'
import type { OfferedRule, RuleTarget } from './types'

const WHERE: Record<RuleScope, string> = {
  process: 'for this process',
  session: 'in this session',
  workspace: 'in this workspace',
  everywhere: 'everywhere',
}

const typingOffer: OfferedRule = {
  scope: 'process',
  matches: [{ kind: 'tool', key: 'process.type' }],
  sentence: 'Allow everything that is typed into this program until it ends',
}

/** Rules that would have let these targets through, narrowest first, each in the words that the user agrees to. */
export function offerRules(targets: readonly RuleTarget[], action: Action, places: Places): OfferedRule[] {
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
  const folder = commonFolder(targets, places)
  if (folder !== null) {
    const match: RuleMatch = { kind: 'path', path: folder, recursive: true }
    const all = `${action === 'read' ? 'reading' : 'changing and deleting'} everything in ${shortPath(folder, places)}`
    offers.splice(1, 0, offer('session', [match], all))
    offers.splice(3, 0, { scope: 'workspace', matches: [match], sentence: `Always allow ${all} from this workspace` })
  }
  const [only] = targets
  if (targets.length > 1 || !only) return offers
  if (only.kind === 'command') {
    const [program = '', second] = only.argv
    if (second !== undefined && only.argv.length > 2 && /^[a-z][\w:-]*$/.test(second) && !exactOnly(program)) {
      const match = { ...exactMatch(only, places), kind: 'prefix', argv: [program, second] } as RuleMatch
      offers.splice(
        2,
        0,
        offer('workspace', [match], `\`${program} ${second}\` followed by further words, but no further options,`),
      )
    }
  }
  return offers
}

/** The folder that all of them are in, where it is outside the workspace and somebody's own rather than a whole system. */
function commonFolder(targets: readonly RuleTarget[], { files, workspace }: Places): string | null {
  const folders = targets.map((target) => {
    if (target.kind !== 'path') return null
    return files.lstat(target.path)?.kind === 'directory' ? target.path : dirname(target.path)
  })
  const shortest = folders.reduce((one, other) =>
    one === null || other === null || isInside(other, one) ? one : other,
  )
  if (shortest === null || !folders.every((folder) => folder !== null && isInside(folder, shortest))) return null
  const narrow = isInside(shortest, files.home) ? shortest !== files.home : shortest.split('/').length > 3
  return narrow && !isInside(shortest, workspace) && !isInside(workspace, shortest) ? shortest : null
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
