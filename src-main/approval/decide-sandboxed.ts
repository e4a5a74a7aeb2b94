import { isAllowedHost } from './allowed-host'
import { SOME_HOST } from './checks/touches'
import type { CommandReading, Item, Part } from './decide-command'
import { type Finding, worse } from './finding'
import { isInsideAny, type Places, shortPath } from './paths/paths'
import { factsOf } from './programs/registry'
import type { Field } from './shell/field'
import type { Invocation } from './shell/plan'
import { baseName } from './shell/program-name'
import { possiblePaths } from './shell/word-paths'

const CONTAINED: Finding = { level: 'contained', reason: 'It runs in the sandbox' }

/** What the sandbox shows as it is outside. */
const SHARED = /^\/(?:usr|bin|sbin|lib\w*|opt|etc|nix|snap|dev|proc|sys)(?:\/|$)/
/** The sandbox has its own; what is there outside is not there inside. */
const OWN = new Set(['', '/tmp', '/var/tmp'])
/**
 * The same command in a sandbox. What it holds is let through, also where nobody can tell what the command does; what
 * it would only fail at is said before. What is dangerous in itself stays so.
 */
export function containCommand(
  reading: CommandReading,
  cwd: string,
  hosts: readonly string[],
  places: Places,
  contained = CONTAINED,
): CommandReading {
  const away = outsideReason(cwd, places)
  const containFinding = (finding: Finding, reason: string | null): Finding => {
    if (finding.level !== 'edit' && finding.level !== 'ask') return finding
    return reason === null ? contained : { level: 'leave', reason }
  }
  const containPart = (part: Part, reason: string | null): Part => {
    if (showsRecords(part)) return part
    const items: Item[] = part.items.map((item) => ({ ...item, finding: containFinding(item.finding, reason) }))
    return { ...part, items, finding: containFinding(part.finding, reason) }
  }
  const parts = reading.parts.map((part) => containPart(part, away ?? leaveReason(part, hosts, places)))
  const whole = containFinding(reading.finding, away)
  return { ...reading, parts, finding: parts.reduce((worst, part) => worse(worst, part.finding), whole) }
}

/** What git shows of a secret comes from its own records, which nothing hides. */
const showsRecords = ({ invocation, doubt }: Part): boolean =>
  doubt === 'secret' && baseName(invocation.fields[0]?.text ?? '') === 'git'

/** A change inside the workspace, which a command in the sandbox could make as well. */
export const containEdit = (finding: Finding): Finding =>
  finding.level === 'edit' ? { level: 'contained', reason: finding.reason } : finding

/** Why a part of a command would fail inside, as far as it can be told; `null` for ordinary work. */
function leaveReason({ invocation, effects }: Part, hosts: readonly string[], places: Places): string | null {
  const { fields, cwds } = invocation
  const [program, ...args] = fields
  const name = baseName(program?.text ?? '')
  const facts = factsOf(name)
  if (facts?.talksOutside) return `It talks to a program outside the sandbox: ${name}`
  const connects = facts?.runsInstalled && isInstalled(args, cwds, places) ? [] : (effects.connects ?? [])
  const unknown = connects.filter((host) => !isAllowedHost(host, hosts))
  if (unknown.length > 0) {
    const named = unknown.filter((host) => host !== SOME_HOST)
    return named.length > 0 ? `It connects to ${named.join(', ')}` : 'It uses the network'
  }
  return pathsOutside(invocation, places)
}

/** The first word that names something outside, in words; `null` if none does. */
export function pathsOutside({ fields, redirects, cwds }: Invocation, places: Places): string | null {
  const words = [...fields.slice(1), ...redirects.flatMap(({ target }) => target ?? [])]
  const paths = words.flatMap((field) => possiblePaths(pathIn(field), cwds, places))
  for (const path of [...cwds.flatMap((folder) => folder ?? []), ...paths]) {
    const reason = outsideReason(path, places)
    if (reason !== null) return reason
  }
  return null
}

/** `--out=/x` names a path as well as `/x` does. */
const pathIn = (field: Field): Field => {
  const value = /^--?[\w-]+=(.+)$/s.exec(field.text)?.[1]
  return value === undefined ? field : { ...field, text: value }
}

/** Why a path is not part of what a sandboxed command may use, in words. */
export function outsideReason(path: string, places: Places): string | null {
  if (isInsideAny(path, places.folders) || path === '/' || OWN.has(path) || SHARED.test(path)) return null
  const parent = path.slice(0, path.lastIndexOf('/'))
  // A word with slashes in it need not be a path: `/^a/` is an expression.
  const real = places.files.lstat(path) !== null || (!OWN.has(parent) && places.files.lstat(parent) !== null)
  return real ? `It reaches outside the workspace: ${shortPath(path, places)}` : null
}

/** What a project has installed is run without the network. */
function isInstalled(
  [word]: readonly Field[],
  cwds: readonly (string | null)[],
  { files, workspace }: Places,
): boolean {
  if (!word || !/^[\w.-]+$/.test(word.text)) return false
  return [...cwds.flatMap((cwd) => cwd ?? []), workspace].some(
    (folder) => files.lstat(`${folder}/node_modules/.bin/${word.text}`) !== null,
  )
}
