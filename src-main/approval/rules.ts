import { dirname } from 'node:path/posix'
import type { Action, Rule, RuleMatch, RuleScope } from '../../src-preload/contract/protocol'
import { boundName, sameContent } from './bound-content'
import { isInterpreter, isShell } from './interpreters'
import { canonicalPath, isInside, isInsideAny, type Places, placesOf, shortPath } from './paths'
import { isInForce } from './rule-scope'
import { SAFE_COMMANDS } from './safe-table'
import { secretReason } from './secret-paths'
import { toolWords } from './tool-words'
import type { Access, Decision, FileView, OfferedRule, Policy, RuleTarget } from './types'

/** What a rule is held against, besides the target. */
export interface RuleContext {
  action: Action
  policy: Policy
  /** As the call names it. */
  workspace: string
  places: Places
}

const EXACT_ONLY = new Set(
  `env nice nohup timeout stdbuf setsid time command builtin exec ionice xargs parallel find watch flock script ssh scp rsync tar
  busybox toybox strace sudo doas su git gh hub npm npx pnpm pnpx yarn bun bunx deno uv uvx pipx poetry pip pip3 pdm hatch rye conda bundle
  rake gem composer make gmake cmake ninja just task mage bazel gradle gradlew mvn mvnw ant sbt docker podman kubectl helm nix
  nix-shell direnv mise asdf awk gawk mawk sed eval source . trap alias cd export set curl wget dd tee install`.split(
    /\s+/,
  ),
)

/** Programs for which a longer command line can be something else altogether. */
export function exactOnly(program: string): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return EXACT_ONLY.has(name) || SAFE_COMMANDS.has(name) || isShell(name) || isInterpreter(name)
}

/** Whether a rule speaks of this, here and now. */
export function ruleApplies(rule: Rule, target: RuleTarget, context: RuleContext): boolean {
  if (!inScope(rule, context)) return false
  // Who may write may read.
  const sameAction =
    rule.action === context.action || (rule.action === 'write' && context.action === 'read' && rule.verdict === 'allow')
  return sameAction && matches(rule.match, target, rule.verdict, context)
}

const inScope = (rule: Rule, { policy, workspace, places }: RuleContext): boolean =>
  isInForce(rule, { policy, workspace, realWorkspace: places.workspace, files: places.files })

function matches(match: RuleMatch, target: RuleTarget, verdict: Rule['verdict'], context: RuleContext): boolean {
  switch (match.kind) {
    case 'argv':
    case 'prefix':
      return (
        target.kind === 'command' &&
        (verdict === 'deny' ? deniesCommand(match, target) : allowsCommand(match, target, context))
      )
    case 'path':
      return (
        target.kind === 'path' && (match.recursive ? isInside(target.path, match.path) : target.path === match.path)
      )
    case 'host':
      return target.kind === 'host' && hostMatches(match.host, target.host)
    case 'tool':
      return target.kind === 'tool' && target.key === match.key
  }
}

type CommandMatch = Extract<RuleMatch, { argv: string[] }>
type CommandTarget = Extract<RuleTarget, { kind: 'command' }>

/** A refusal is read generously: wherever it runs and whatever follows. */
function deniesCommand(match: CommandMatch, target: CommandTarget): boolean {
  if (match.kind === 'argv' && target.argv.length !== match.argv.length) return false
  return match.argv.every(
    (word, index) => word === target.argv[index] || (index === 0 && target.argv[0]?.endsWith(`/${word}`)),
  )
}

/**
 * A permission is read strictly: the same program, on the same machine, in the same folder, with nothing but plain words
 * after a prefix, and with the same content of the scripts that it runs.
 */
function allowsCommand(match: CommandMatch, target: CommandTarget, context: RuleContext): boolean {
  if ((match.kind === 'argv' ? match.node : undefined) !== context.policy.node) return false
  if (match.kind === 'argv' && match.bound && !sameContent(match.bound, target.bound ?? [])) return false
  return allowsWords(match, target, context)
}

function allowsWords(match: CommandMatch, target: CommandTarget, { places }: RuleContext): boolean {
  if (target.cwd === null || target.cwd !== (match.cwd ?? places.workspace)) return false
  if (
    match.program !== undefined
      ? match.program !== target.program
      : target.program !== null && isInsideAny(target.program, places.folders)
  )
    return false
  if (!match.argv.every((word, index) => word === target.argv[index])) return false
  const further = target.argv.slice(match.argv.length)
  if (further.length === 0) return true
  if (match.kind === 'argv' || match.argv.length < 2 || exactOnly(match.argv[0] ?? '')) return false
  return further.every((word) => isPlainWord(word, target.cwd ?? '/', places))
}

function isPlainWord(word: string, cwd: string, places: Places): boolean {
  if (!/^[\w./:,+][\w./:,+-]*$/.test(word) || secretReason(word) !== null) return false
  const canonical = canonicalPath(word, cwd, places.files)
  return canonical !== null && isInsideAny(canonical, places.folders)
}

function hostMatches(pattern: string, host: string): boolean {
  const lower = host.toLowerCase()
  return pattern.startsWith('*.') ? lower.endsWith(pattern.slice(1).toLowerCase()) : lower === pattern.toLowerCase()
}

/** The rule that decides about a target, if one does: a refusal before any permission. */
export function rulingOn(target: RuleTarget, context: RuleContext): Rule | null {
  let allowed: Rule | null = null
  for (const rule of context.policy.rules) {
    if ((rule.verdict === 'deny' || allowed === null) && ruleApplies(rule, target, context)) {
      if (rule.verdict === 'deny') return rule
      allowed = rule
    }
  }
  return allowed
}

/** What has changed in the scripts of a command since a rule for it was kept; the latest such rule counts. */
export function changedSince(target: RuleTarget, context: RuleContext): NonNullable<Decision['changed']> {
  if (target.kind !== 'command') return []
  const stale = context.policy.rules.findLast(
    (rule) =>
      rule.verdict === 'allow' &&
      rule.match.kind === 'argv' &&
      rule.match.bound !== undefined &&
      rule.action === context.action &&
      inScope(rule, context) &&
      allowsWords(rule.match, target, context),
  )
  const before = stale?.match.kind === 'argv' ? (stale.match.bound ?? []) : []
  const after = target.bound ?? []
  const names = new Set([...before, ...after].map(boundName))
  if (before.length === 0) return []
  return [...names].flatMap((name) => {
    const old = before.find((each) => boundName(each) === name)
    const now = after.find((each) => boundName(each) === name)
    return old?.hash === now?.hash ? [] : [{ name, before: old?.text ?? null, after: now?.text ?? null }]
  })
}

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

export interface PastDecision {
  action: Action
  workspace: string
  sessionId: string
  targets: readonly RuleTarget[]
  answer: 'allow' | 'deny'
}

export interface BackTest {
  total: number
  /** Calls that the rules would have settled. */
  matched: number
  /** Of those, how many the user had refused. */
  refused: number
}

/** How rules would have answered what the user has answered before. */
export function backtest(rules: readonly Rule[], past: readonly PastDecision[], places: Places, now: number): BackTest {
  const matched = past.filter(({ action, workspace, sessionId, targets }) => {
    const policy: Policy = { mode: 'ask', rules, sessionId, now }
    const context = {
      action,
      policy,
      workspace,
      places: { ...places, workspace: places.files.realpath(workspace) ?? workspace },
    }
    return targets.length > 0 && targets.every((target) => rulingOn(target, context)?.verdict === 'allow')
  })
  return {
    total: past.length,
    matched: matched.length,
    refused: matched.filter(({ answer }) => answer === 'deny').length,
  }
}

/** The same for a rule that the card offers, with what was asked where it would have held. */
export function backtestOffer(
  offer: OfferedRule,
  access: Access,
  policy: Policy,
  files: FileView,
  past: readonly PastDecision[],
): BackTest {
  const subject = {
    process: access.processId ?? '',
    session: policy.sessionId,
    workspace: access.workspace,
    everywhere: '',
  }[offer.scope]
  const rules = offer.matches.map(
    (match): Rule => ({
      id: '',
      scope: offer.scope,
      subject,
      verdict: 'allow',
      action: access.action,
      match,
      sentence: offer.sentence,
      createdAt: policy.now,
      expiresAt: null,
      lastUsedAt: null,
      useCount: 0,
    }),
  )
  const within = past.filter(
    ({ sessionId, workspace }) =>
      offer.scope === 'everywhere' ||
      (offer.scope === 'session' && sessionId === policy.sessionId) ||
      (offer.scope === 'workspace' && workspace === access.workspace),
  )
  return backtest(rules, within, placesOf(access, policy, files), policy.now)
}
