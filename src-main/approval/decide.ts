import type { Rule, Verdict } from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { textDanger } from './checks/danger-text'
import { type CageKind, cageCommand } from './decide-caged'
import { type CommandReading, type Item, readCommand, rowsOf } from './decide-command'
import { pathRows, readPath } from './decide-paths'
import { containCommand, containEdit } from './decide-sandboxed'
import { type Finding, modeVerdict, onlyReads, readsOnlyReason, worse } from './finding'
import { rememberingView } from './paths/file-view'
import { isInside, type Places, shortPath } from './paths/paths'
import { PROTECTIVE_ENVIRONMENT, QUIET_ENVIRONMENT } from './programs/registry'
import { offerRules, ownFolder } from './rules/offers'
import { placesOf } from './rules/places'
import { changedSince, type RuleContext, rulingOn } from './rules/rules'
import { toolAction } from './rules/tool-words'
import type { Access, Decision, FileView, Policy, RuleTarget } from './types'

/** A command that reads in more places than this is no single thing to agree to. */
const MAX_FOLDERS = 3

/**
 * The gate. What may a call do, given what the user has said so far? The same question always gets the same answer; only
 * the files are looked at, through `files`.
 */
export function decide(access: Access, policy: Policy, files: FileView): Decision {
  const places = placesOf(access, policy, rememberingView(files))
  return (
    decideCaged(access, policy, places) ??
    decideOutside(access, policy, { ...places, kernelOnly: isKernelOnly(access, policy) })
  )
}

/** The decision about a command that the mode alone lets run in the session's cage; `null` for all others. */
function decideCaged(access: Access, policy: Policy, places: Places): Decision | null {
  const kind = cageKind(access, policy)
  const reading = kind && cageCommand(readCommand(access, policy, places), kind, access, places)
  if (!reading) return null
  // The user's own shell reads it: what that makes of it otherwise than was read here does no harm in the cage.
  const { finding, decision: weighed } = weigh(access, policy, places, reading)
  const { knownShell: _, ...decision } = weighed
  if (decision.verdict !== 'allow' || modeVerdict(finding.level, policy.mode) !== 'allow') return null
  const least = finding.level === 'contained' || finding.level === 'edit' ? 'write' : 'read'
  return {
    ...decision,
    cage: { kind: least, readable: places.readFolders.slice(1), writable: places.folders.slice(1) },
    // Also where files may be changed, git starts nothing that the repository names and nobody asked for.
    ...(least === 'read' ? { readsOnly: true, env: QUIET_ENVIRONMENT } : { env: PROTECTIVE_ENVIRONMENT }),
  }
}

function decideOutside(access: Access, policy: Policy, places: Places): Decision {
  const runs = access.command !== undefined || access.argv !== undefined
  const { finding, decision } = weigh(access, policy, places, runs ? readInPlace(access, policy, places) : null)
  const leaves = access.sandboxed === true && (finding.level === 'leave' || finding.level === 'danger')
  return {
    ...decision,
    ...(leaves && { leaves }),
    ...(access.action === 'read' &&
      access.paths && { follow: policy.mode === 'all' ? 'anywhere' : places.readFolders }),
    ...((access.sandboxed || finding.level === 'contained') && { contained: { writable: places.folders.slice(1) } }),
  }
}

/** Where the mode lets something through that then runs outside a cage, it has to be a program of the kernel. */
const isKernelOnly = ({ sandboxed }: Access, { cage, mode }: Policy): boolean =>
  cage !== undefined && !sandboxed && mode !== 'all' && mode !== 'ask'

/** The cage that a mode lets commands run in without a question. */
function cageKind({ cageable, sandboxed, typed }: Access, { cage, mode }: Policy): CageKind | null {
  if (!cage || !cageable || sandboxed || typed) return null
  return mode === 'workspace' ? 'write' : mode === 'safe' || onlyReads(mode) ? 'read' : null
}

/** The decision about everything that a call touches, `read` being what its command would do. */
function weigh(
  access: Access,
  policy: Policy,
  places: Places,
  read: CommandReading | null,
): { finding: Finding; decision: Decision } {
  const { processId } = access
  const context: RuleContext = {
    action: access.action,
    policy: processId === undefined ? policy : { ...policy, processId },
    workspace: access.workspace,
    places,
  }
  const runs = read !== null
  const conversation = read !== null && isConversation(access, read)
  const reading = conversation ? null : read
  const paths = (access.paths ?? []).map((path) => {
    const reading = readPath(path, access.cwd, places)
    return { ...path, ...reading, finding: policy.sandbox ? containEdit(reading.finding) : reading.finding }
  })
  const items: Item[] = [
    ...(conversation ? [TYPING] : []),
    ...((runs || paths.length > 0) && access.flagged !== undefined ? [flaggedItem(access.flagged)] : []),
    ...(reading ? reading.parts.flatMap((part) => part.items) : []),
    ...paths,
    ...(access.hosts ?? []).map((host) => hostItem(host, access)),
    ...(access.toolKey !== undefined && !runs && paths.length === 0 ? [toolItem(access.toolKey, access)] : []),
  ]
  const base = {
    subCommands: reading ? rowsOf(reading, context) : paths.length > 1 ? pathRows(paths, context) : [],
    ruleIds: [],
    offers: [],
    resources: [
      ...paths.map(({ path, target }) => (target?.kind === 'path' ? shortPath(target.path, places) : path)),
      ...(access.hosts ?? []),
    ],
    targets: items.flatMap(({ target }) => target ?? []),
    ...(read?.finding.level === 'safe' && !access.typed && { readsOnly: true as const }),
  }
  if (items.length === 0 && !reading)
    return { finding: { level: 'safe', reason: '' }, decision: harmlessOrAsk(access, policy, base) }
  const finding = worstOf(items, reading)
  const toRead = (): string[] => foldersToRead(access, policy, places)
  return { finding, decision: judge(finding, items, reading, context, base, toRead) }
}

/** As it would run: inside the sandbox, where there is one for it. */
function readInPlace(access: Access, policy: Policy, places: Places): CommandReading {
  if (!access.sandboxed) return readCommand(access, policy, places)
  const hosts = policy.sandbox?.hosts ?? []
  // Without a network nothing that was read can be sent anywhere.
  const reading = readCommand(hosts.length === 0 ? { ...access, tainted: false } : access, policy, places)
  return containCommand(reading, access.cwd, hosts, places)
}

/** What a program that is no shell is told. Its words mean nothing to the gate, except where they would be dangerous. */
const TYPING: Item = {
  finding: { level: 'ask', reason: 'It types into a program that is running' },
  target: { kind: 'tool', key: 'process.type' },
}

/** Asks in every mode, and no rule can say otherwise. */
const flaggedItem = (reason: string): Item => ({ finding: { level: 'hold', reason }, target: null })

const isConversation = ({ line, command = '', typed, typedInto }: Access, { finding }: CommandReading): boolean =>
  typed === true &&
  typedInto === 'program' &&
  (finding.level === 'safe' || finding.level === 'edit' || finding.level === 'ask') &&
  // Many programs hand a line that begins with `!` to a shell.
  !/^\W*!/.test(line ?? command) &&
  textDanger(line ?? command) === null

type Base = Pick<Decision, 'subCommands' | 'ruleIds' | 'offers' | 'resources' | 'targets' | 'readsOnly'>

/** A clock, a list, a question: nothing is touched. */
function harmlessOrAsk({ action }: Access, { mode }: Policy, base: Base): Decision {
  if (action === 'read') return { ...base, verdict: 'allow', reason: 'It touches nothing' }
  const verdict = modeVerdict('ask', mode)
  return {
    ...base,
    verdict,
    reason: reasonFor(verdict, { level: 'ask', reason: 'It does not say what it touches' }, mode),
  }
}

function hostItem(host: string, { tainted }: Access): Item {
  const finding: Finding = tainted
    ? { level: 'hold', reason: `It connects to ${host} after text from outside entered the session` }
    : { level: 'ask', reason: `It connects to ${host}` }
  return { finding, target: { kind: 'host', host } }
}

function toolItem(key: string, { action, flagged }: Access): Item {
  const target: RuleTarget = { kind: 'tool', key }
  if (flagged !== undefined) return { finding: { level: 'hold', reason: flagged }, target }
  if (/^(?:approval|provider)\b/.test(key))
    return {
      finding: { level: 'danger', reason: 'It changes what Deckhand itself is allowed to do', word: 'settings' },
      target,
    }
  if (action === 'read') return { finding: { level: 'safe', reason: 'It only reads' }, target }
  return {
    finding: {
      level: 'ask',
      reason: `It wants to ${action === 'send' ? 'send something' : action === 'configure' ? 'change the configuration' : toolAction(key)}`,
    },
    target,
  }
}

function worstOf(items: readonly Item[], reading: CommandReading | null): Finding {
  let finding: Finding = reading?.finding ?? { level: 'safe', reason: '' }
  for (const item of items) finding = worse(finding, item.finding)
  return finding.level === 'safe' && finding.reason === '' ? (items[0]?.finding ?? finding) : finding
}

function judge(
  finding: Finding,
  items: readonly Item[],
  reading: CommandReading | null,
  context: RuleContext,
  base: Base,
  toRead: () => string[],
): Decision {
  const { mode } = context.policy
  const rulings = items.map(({ target }) => target && rulingOn(target, context))
  const refusal = rulings.find((rule) => rule?.verdict === 'deny')
  if (refusal)
    return {
      ...base,
      verdict: 'deny',
      reason: `Refused by a rule: ${refusal.sentence}`,
      ruleId: refusal.id,
      ruleIds: [refusal.id],
    }

  const verdict = modeVerdict(finding.level, mode)
  const danger = finding.level === 'danger' && verdict === 'ask' ? { typedWord: finding.word ?? 'allow' } : {}
  if (verdict === 'deny') return { ...base, verdict, reason: reasonFor(verdict, finding, mode) }
  if (verdict === 'allow') {
    const opened = grantsFor(items, reading, context.places)
    const reason = opened[0]?.sentence ?? reasonFor(verdict, finding, mode)
    const judged = finding.level === 'safe' || finding.level === 'edit'
    return { ...base, verdict, reason, ...usedRules(opened), ...(judged && unasked(reading, mode)) }
  }
  const asking = items.filter(
    (item, index) => modeVerdict(item.finding.level, mode) !== 'allow' && rulings[index]?.verdict !== 'allow',
  )
  const askingTargets = dedupe(asking.flatMap(({ target }) => target ?? []))
  if (finding.level === 'danger') return { ...base, verdict, reason: finding.reason, asking: askingTargets, ...danger }

  // A host that has its own rule was allowed knowingly; anything else that is held back asks whatever the rules say.
  const held =
    finding.level === 'hold' &&
    items.some((item, index) => item.finding.level === 'hold' && !(item.target?.kind === 'host' && rulings[index]))
  const heldWhole = reading?.finding.level === 'hold'
  // A rule allows a command for the user's own shell, so that every shell has to read it alike.
  const same = reading === null || reading.difference === null
  if (asking.length === 0 && !held && !heldWhole && !reading?.opaque && same) {
    const used = rulings
      .filter((rule, index) => rule !== null && modeVerdict(items[index]?.finding.level ?? 'ask', mode) !== 'allow')
      .flatMap((rule) => rule ?? [])
    return {
      ...base,
      verdict: 'allow',
      reason: used[0]?.sentence ?? finding.reason,
      ...usedRules([...used, ...grantsFor(items, reading, context.places)]),
      ...protection(reading),
    }
  }
  const changed = asking.flatMap(({ target }) => (target ? changedSince(target, context) : []))
  return {
    ...base,
    verdict,
    reason: changed[0] ? `${changed[0].name} has changed since you allowed this` : finding.reason,
    offers: offersFor(asking, reading, heldWhole || held, context, toRead),
    asking: askingTargets,
    ...(changed.length > 0 && { changed }),
  }
}

function offersFor(
  asking: readonly Item[],
  reading: CommandReading | null,
  held: boolean,
  { action, places }: RuleContext,
  toRead: () => string[],
): Decision['offers'] {
  if (held || reading?.opaque) return []
  const targets = asking.map(({ target }) => target)
  // A part that no rule can name keeps the whole asking.
  if (targets.includes(null)) return []
  const readsOutside = reading?.finding.level === 'ask' && reading.parts.some(({ outside }) => outside.length > 0)
  return offerRules(dedupe(targets.flatMap((target) => target ?? [])), action, places, readsOutside ? toRead() : [])
}

const dedupe = (targets: RuleTarget[]): RuleTarget[] => [
  ...new Map(targets.map((target) => [JSON.stringify(target), target])).values(),
]

/** The rules that opened the folders outside the workspace which a call touches. */
function grantsFor(items: readonly Item[], reading: CommandReading | null, places: Places): Rule[] {
  if (places.granted.length === 0) return []
  const named = items.flatMap(({ target }) => (target?.kind === 'path' ? target.path : []))
  const touched = [...named, ...(reading?.parts.flatMap((part) => part.touched) ?? [])]
  const outside = touched.filter((path) => !isInside(path, places.workspace))
  return places.granted.filter(({ path }) => outside.some((each) => isInside(each, path))).map(({ rule }) => rule)
}

function usedRules(rules: readonly Rule[]): Pick<Decision, 'ruleIds' | 'ruleId'> {
  const ruleIds = [...new Set(rules.map(({ id }) => id))]
  return { ruleIds, ...(ruleIds[0] !== undefined && { ruleId: ruleIds[0] }) }
}

/** For what the mode alone let through: it has to run as it was read. */
const unasked = (reading: CommandReading | null, mode: ApprovalMode): Pick<Decision, 'env' | 'knownShell'> =>
  // Where everything is allowed, nothing depends on the reading: the user's own shell runs it, as they are used to.
  reading === null ? {} : { ...protection(reading), ...(mode !== 'all' && { knownShell: true as const }) }

/** The variables that readings rely on, for the whole command as soon as one part of it is a reading. */
function protection(reading: CommandReading | null): Pick<Decision, 'env'> {
  if (reading?.finding.level === 'safe') return { env: QUIET_ENVIRONMENT }
  return reading?.parts.some(({ finding }) => finding.level === 'safe') ? { env: PROTECTIVE_ENVIRONMENT } : {}
}

function reasonFor(verdict: Verdict, finding: Finding, mode: ApprovalMode): string {
  if (verdict === 'deny' && finding.level !== 'deny') return `${readsOnlyReason(mode)} ${finding.reason}`
  if (verdict === 'allow' && mode === 'all' && finding.level === 'ask')
    return `Everything is allowed in this session. ${finding.reason}`
  return finding.reason
}

/**
 * The folders outside the workspace that a command reads in, where nothing else about it asks: once they are open to
 * reading it is a safe read like any inside. Found by looking at the command again as if they were.
 */
function foldersToRead(access: Access, policy: Policy, places: Places): string[] {
  const opened: string[] = []
  for (;;) {
    const readFolders = [...places.readFolders, ...opened]
    const { finding, parts } = readCommand(access, policy, { ...places, readFolders })
    if (finding.level === 'safe') return opened
    const folders = parts.flatMap(({ outside }) => outside.map((path) => ownFolder(path, places)))
    const more = new Set(folders.filter((folder) => folder !== null && !opened.some((each) => isInside(folder, each))))
    if (more.size === 0 || opened.length + more.size > MAX_FOLDERS) return []
    opened.push(...[...more].flatMap((folder) => folder ?? []))
  }
}
