import type { BoundContent, RuleMatch } from '../../../src-preload/contract/approval'
import { scriptDanger } from '../checks/danger'
import { textDanger } from '../checks/danger-text'
import { canonicalPath, isInsideAny, type Places } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import type { CommandFamily } from '../programs/facts'
import { readGitConfig } from '../programs/git-config'
import { findRepository } from '../programs/git-repository'
import { packageScript, projectScripts } from '../programs/node-packages'
import { readOptions } from '../programs/options'
import { projectFilesDoubt } from '../programs/project-files'
import { factsOf } from '../programs/registry'
import type { RuleTarget } from '../types'
import { sameContent } from './bound-content'

type CommandTarget = Extract<RuleTarget, { kind: 'command' }>
type FamilyMatch = Extract<RuleMatch, { kind: 'family' }>

const MAX_BOUND = 200

/** A family that a command belongs to, as a rule would say it. */
interface FoundFamily {
  match: FamilyMatch
  words: string
  /** On what it depends, in words. */
  condition: string
}

/** The families that this command belongs to here and now. */
export function familiesOf(target: CommandTarget, places: Places): FoundFamily[] {
  const [name = ''] = target.argv
  const { cwd, program } = target
  if (cwd === null || program === null || isInsideAny(program, places.folders)) return []
  return Object.entries(factsOf(name)?.families ?? {}).flatMap(([id, family]) => {
    if (!belongs(target, name, family, places)) return []
    const bound = contentOf(name, family, cwd, places)
    if (bound === null) return []
    const match: FamilyMatch = {
      kind: 'family',
      name,
      family: id,
      program,
      ...(cwd !== places.workspace && { cwd }),
      ...(bound.length > 0 && { bound }),
    }
    return [{ match, words: wordsOf(family, cwd, places), condition: conditionOf(family) }]
  })
}

/** Whether a rule for a family lets this command through: the same program, in the same folder, with the same content. */
export function familyAllows(match: FamilyMatch, target: CommandTarget, places: Places): boolean {
  return (
    coversWords(match, target, places) && sameContent(match.bound ?? [], familyContent(match, target, places) ?? [])
  )
}

/** The same, whatever has become of the content. */
export function coversWords(match: FamilyMatch, target: CommandTarget, places: Places): boolean {
  const family = familyNamed(match)
  if (!family || target.cwd === null || target.cwd !== (match.cwd ?? places.workspace)) return false
  if (target.program === null || target.program !== match.program) return false
  if (target.argv[0] !== match.name || isInsideAny(target.program, places.folders)) return false
  return belongs(target, match.name, family, places) && contentOf(match.name, family, target.cwd, places) !== null
}

export function familyContent(match: FamilyMatch, { cwd }: CommandTarget, places: Places): BoundContent[] | null {
  const family = familyNamed(match)
  return family && cwd !== null ? contentOf(match.name, family, cwd, places) : null
}

function familyNamed({ name, family }: FamilyMatch): CommandFamily | undefined {
  const known = factsOf(name)?.families ?? {}
  return Object.hasOwn(known, family) ? known[family] : undefined
}

function belongs({ argv, cwd }: CommandTarget, name: string, family: CommandFamily, places: Places): boolean {
  const [, verb = '', ...rest] = argv
  if (cwd === null || !family.verb.test(verb)) return false
  const read = readOptions(rest, family.options)
  if (typeof read === 'string') return false
  const { options, operands } = read
  if (options.some((option) => option.name === '--help' || option.name === '--version')) return false
  if (family.needs && !options.some((option) => family.needs?.includes(option.name))) return false
  if (family.operands === 'files of the workspace') return operands.every((word) => isOwnFile(word, cwd, places))
  const called = /^run/.test(verb) ? operands[0] : (LONG.get(verb) ?? verb)
  // What follows the name is handed to the script, which may take it for anything.
  if (called === undefined || operands.length > (/^run/.test(verb) ? 1 : 0) || rest.includes('--')) return false
  // bun has a test runner of its own.
  if (name === 'bun' && verb === 'test') return false
  return harmlessScripts(cwd, places).includes(called)
}

const LONG: ReadonlyMap<string, string> = new Map([['t', 'test']])

/** No pattern, no magic of pathspecs, nothing secret, nothing elsewhere. */
function isOwnFile(word: string, cwd: string, places: Places): boolean {
  if (!/^[\w./@+-]*[\w./+-]$/.test(word) || secretReason(word) !== null) return false
  const canonical = canonicalPath(word, cwd, places.files)
  return canonical !== null && isInsideAny(canonical, places.folders)
}

/** What a rule for it depends on; `null` where there must be none. */
function contentOf(name: string, family: CommandFamily, cwd: string, places: Places): BoundContent[] | null {
  const { files } = places
  if (family.hooks && runsHooks(family.hooks, cwd, places)) return null
  if ((family.without ?? []).some((file) => isAbove(file, cwd, places))) return null
  if (family.operands !== 'script') return []
  const facts = factsOf(name)
  const scripts = projectScripts(cwd, places)
  if (!facts || !scripts || projectFilesDoubt(name, facts, { cwds: [cwd], places })) return null
  const bound = [...scripts.keys()].toSorted().flatMap((script) => packageScript(['run', script], cwd, places))
  const unique = [...new Map(bound.map((each) => [`${each.path}\0${each.script ?? ''}`, each])).values()]
  return unique.length > MAX_BOUND || files.realpath(cwd) === null ? null : unique
}

/** The file in the folder or in one above it, within the workspace. */
function isAbove(file: string, cwd: string, { files, workspace }: Places): boolean {
  for (let folder = cwd; folder.startsWith(workspace); folder = folder.slice(0, folder.lastIndexOf('/')))
    if (files.lstat(`${folder}/${file}`) !== null) return true
  return false
}

/** Settings by which a commit starts programs that a reading never starts. */
const STARTS_PROGRAMS =
  /^(?:core\.(?:hookspath|editor|sshcommand|fsmonitor)|gc\.recentobjectshook|trailer\..*\.(?:command|cmd)|commit\.(?:gpgsign|template)|tag\.gpgsign|gpg\..*|hook\..*|maintenance\..*)$/

function runsHooks(hooks: readonly string[], cwd: string, places: Places): boolean {
  const found = findRepository(cwd, places)
  if (found === null || 'flaw' in found) return true
  const { folder, home } = found
  if (hooks.some((hook) => places.files.lstat(`${home}/hooks/${hook}`) !== null)) return true
  return [`${home}/config`, `${folder}/config.worktree`, `${home}/config.worktree`].some((file) => {
    if (places.files.lstat(file) === null) return false
    const entries = readGitConfig(places.files.readText(file, 65_536) ?? '[')
    return entries === null || entries.some(({ name }) => STARTS_PROGRAMS.test(name))
  })
}

/** Scripts without a danger, which also name none that has one. */
function harmlessScripts(cwd: string, places: Places): string[] {
  const scripts = projectScripts(cwd, places) ?? new Map<string, string>()
  const dangerous = new Set(
    [...scripts].flatMap(([name, text]) =>
      scriptDanger(text, [cwd], places) !== null || textDanger(text) !== null ? [name] : [],
    ),
  )
  for (let before = -1; before !== dangerous.size; ) {
    before = dangerous.size
    for (const [name, text] of scripts) {
      const words = text.split(/[\s"';&|()]+/)
      const around = [`pre${name}`, `post${name}`, ...words]
      if (around.some((word) => dangerous.has(word))) dangerous.add(name)
    }
  }
  return [...scripts.keys()].filter((name) => /^[\w:.-]+$/.test(name) && !dangerous.has(name))
}

function wordsOf(family: CommandFamily, cwd: string, places: Places): string {
  if (family.operands !== 'script') return family.words
  const names = harmlessScripts(cwd, places)
  const left = [...(projectScripts(cwd, places)?.keys() ?? [])].filter((name) => !names.includes(name))
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names
  const quoted = shown.map((name) => (name.endsWith(' more') ? name : `\`${name}\``))
  const except = left.length === 0 ? '' : `, except ${listed(left.slice(0, 3).map((name) => `\`${name}\``))}`
  return `${family.words} (${listed(quoted)}${except})`
}

const conditionOf = (family: CommandFamily): string =>
  family.operands === 'script'
    ? ' while the scripts and the files they name are unchanged'
    : ' while the repository has no hooks'

const listed = (items: string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
