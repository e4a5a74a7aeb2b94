import type { CommandReading, Item, Part } from './decide-command'
import { containCommand, outsideReason, pathsOutside } from './decide-sandboxed'
import { type Finding, worse } from './finding'
import { isInsideAny, type Places } from './paths/paths'
import type { ProgramFacts } from './programs/facts'
import { factsOf } from './programs/registry'
import { baseName } from './shell/program-name'
import type { Access } from './types'

/**
 * Commands whose purpose is to throw work away that nothing brings back: uncommitted changes, stashes, branches, whole
 * folders. A cage in which the workspace is writable does not hold them.
 */
const GIT =
  /\bgit(?:\s+(?:-[Cc]\s+\S+|-\S+))*\s+(?:reset\b[^|;&\n]*--(?:hard|merge|keep)|clean\b[^|;&\n]*\s(?:-\w*[fdxX]|--force)|stash\s+(?:drop|clear)|branch\b[^|;&\n]*\s(?:-\w*D|--delete|-d)|checkout\b[^|;&\n]*\s(?:--(?:\s|$)|\.(?:\s|$)|-f|--force)|switch\b[^|;&\n]*\s(?:-f|--force|--discard-changes|-C)|restore\b(?![^|;&\n]*--staged)|worktree\s+(?:remove|prune)|reflog\s+(?:expire|delete)|update-ref\b[^|;&\n]*\s-d|gc\b[^|;&\n]*--prune|filter-(?:branch|repo)|rm\b|tag\s+-d)/

const FILES =
  /(?:^|[\s;&|('"`])(?:rm\s+(?:\S+\s+)*-(?:\w*[rR]|-recursive)|rm\s+-\w*f\w*(?=\s*(?:$|[;&|]))|shred\s|unlink\s|truncate\s|find\b[^|;&\n]*-delete|xargs\b[^|;&\n]*\brm\b)|-exec(?:dir)?\s+rm\b/

/** `read`: nothing can be changed. `write`: the workspace can be changed. */
export type CageKind = 'read' | 'write'

const CAGED: Finding = { level: 'caged', reason: 'It runs in the cage, where it can only read' }

const HELD: Finding = { level: 'contained', reason: 'It runs in the cage, where it can change only the workspace' }

/**
 * The same command in the session's cage. Whatever it does there does no harm, so it is let through where nobody can tell
 * what it does; what the cage would only make fail is judged as outside it. `null` if the cage has no place for it.
 */
export function cageCommand(
  reading: CommandReading,
  kind: CageKind,
  { cwd, command, argv = [] }: Access,
  places: Places,
): CommandReading | null {
  if (outsideReason(cwd, places) !== null || reading.parts.some((part) => isElsewhere(part, places))) return null
  // Nobody can undo these; where only reading is possible they would just fail.
  if (destroysWork(reading.parts, command ?? argv.join(' '))) return null
  if (kind === 'write') return containCommand(reading, cwd, [], places, HELD)
  const parts = reading.parts.map((part) => (needsMore(part, places) ? part : cagePart(part)))
  const whole = cageFinding(reading.finding)
  return { ...reading, parts, finding: parts.reduce((worst, part) => worse(worst, part.finding), whole) }
}

function cagePart(part: Part): Part {
  const items: Item[] = part.items.map((item) => ({ ...item, finding: cageFinding(item.finding) }))
  return { ...part, items, finding: cageFinding(part.finding) }
}

const cageFinding = (finding: Finding): Finding => (finding.level === 'ask' ? CAGED : finding)

/** What it looks at is not to be seen in the cage, or is something else there: processes, the app's own results. */
function isElsewhere({ invocation, touched }: Part, places: Places): boolean {
  const facts = factsOf(baseName(invocation.fields[0]?.text ?? ''))
  return facts?.looksAtMachine === true || touched.some((path) => isInsideAny(path, places.readable))
}

/** It is known to do more than read, so that it would only fail, or would read what the user has to be asked about. */
function needsMore({ invocation, effects, doubt, outside }: Part, places: Places): boolean {
  const [program, ...args] = invocation.fields
  const facts = factsOf(baseName(program?.text ?? '')) ?? {}
  if (doubt === 'secret' || doubt === 'lasting' || (effects.connects ?? []).length > 0) return true
  if (runsScript(invocation, facts)) return true
  if ((effects.writes ?? []).length > 0 || (effects.deletes ?? []).length > 0) return true
  if (outside.some((path) => outsideReason(path, places) !== null)) return true
  const line = args.map(({ text }) => text).join(' ')
  return (
    (changes(facts, /^(?:-\S+ )*(\S*)/.exec(line)?.[1] ?? '') && !ONLY_TELLS.test(line)) ||
    (!facts.showsWords && pathsOutside(invocation, places) !== null)
  )
}

/** A file of the project is run: nobody can tell from the words what for. */
function runsScript({ fields: [program, ...args] }: Part['invocation'], facts: ProgramFacts): boolean {
  const path = program?.text ?? ''
  if (path.includes('/') && !/^\/(?:usr\/(?:local\/)?)?s?bin\//.test(path)) return true
  if (facts.runs === undefined || (facts.carries?.(args, []) ?? []).length > 0) return false
  const file = args.find(({ text }) => !text.startsWith('-'))?.text ?? ''
  return !args[0]?.text.startsWith('-m') && /\.\w{1,4}$|\//.test(file)
}

/** What package managers and compilers only tell about themselves and the project. */
const ONLY_TELLS =
  /^(?:list|ls|ll|la|show|version|env|tree|metadata|freeze|why|explain|help|root|prefix|bin|info|config (?:-l\b|--list|--get|get|list|ls)|-{1,2}(?:version|help)|-[vVh])(?:\s|$)/

const changes = (facts: ProgramFacts, verb: string): boolean =>
  facts.edits !== undefined ||
  facts.talksOutside === true ||
  facts.endsProcesses === true ||
  facts.packages !== undefined ||
  facts.runsProject === true ||
  facts.runs === 'later' ||
  facts.repositoryVerbs?.test(verb) === true

/** Whether one of these parts, or code that one of them carries, is such a command; `text` is the whole command. */
const destroysWork = (parts: readonly Part[], text: string): boolean =>
  parts.some(({ invocation }) => {
    const name = baseName(invocation.fields[0]?.text ?? '')
    const facts = factsOf(name)
    const own = `${name} ${words(invocation.fields)}`
    if (name === 'git') return GIT.test(own)
    // What runs code may get it from anywhere in the command: a word, a block of text, a pipe.
    const said = facts?.runs === undefined ? own : text
    return FILES.test(said) || ((facts?.runs ?? facts?.carries ?? facts?.inner) !== undefined && GIT.test(said))
  })

const words = (fields: Part['invocation']['fields']): string =>
  fields
    .slice(1)
    .map(({ text }) => text)
    .join(' ')
