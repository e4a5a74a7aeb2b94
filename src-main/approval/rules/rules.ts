import type { Action, Rule, RuleMatch } from '../../../src-preload/contract/approval'
import { changeTrouble } from '../checks/edits'
import { canonicalPath, isInside, isInsideAny, type Places } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import { factsOf } from '../programs/registry'
import type { Decision, Policy, RuleTarget } from '../types'
import { boundName, sameContent } from './bound-content'
import { coversWords, familyAllows, familyContent } from './families'
import { isInForce } from './scope'

/** What a rule is held against, besides the target. */
export interface RuleContext {
  action: Action
  policy: Policy
  /** As the call names it. */
  workspace: string
  places: Places
}

/** Programs for which a longer command line can be something else altogether. */
export function exactOnly(program: string): boolean {
  const facts = factsOf(program.slice(program.lastIndexOf('/') + 1))
  if (facts === undefined) return false
  // What a table of options does not know as a reading is not known at all.
  const reading = typeof facts.reads === 'object'
  // One more word can be another program, or the code that it runs.
  const starts = facts.carries !== undefined || facts.runs !== undefined
  return facts.exactRules === true || reading || starts
}

/** Whether a rule speaks of this, here and now. */
function ruleApplies(rule: Rule, target: RuleTarget, context: RuleContext): boolean {
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
    case 'family':
      return (
        target.kind === 'command' &&
        verdict === 'allow' &&
        context.policy.node === undefined &&
        familyAllows(match, target, context.places)
      )
    case 'files':
      return (
        target.kind === 'path' &&
        target.access === 'write' &&
        isInside(target.path, match.folder) &&
        // As it is now: a link, a hidden file or one that configures a program asks whatever the folder.
        changeTrouble(target.path, context.places) === null
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
  const isStale = ({ match }: Rule): boolean =>
    (match.kind === 'argv' && match.bound !== undefined && allowsWords(match, target, context)) ||
    (match.kind === 'family' && match.bound !== undefined && coversWords(match, target, context.places))
  const match = context.policy.rules.findLast(
    (rule) => rule.verdict === 'allow' && rule.action === context.action && inScope(rule, context) && isStale(rule),
  )?.match
  const before = match?.kind === 'argv' || match?.kind === 'family' ? (match.bound ?? []) : []
  const after = (match?.kind === 'family' ? familyContent(match, target, context.places) : target.bound) ?? []
  const names = new Set([...before, ...after].map(boundName))
  if (before.length === 0) return []
  return [...names].flatMap((name) => {
    const old = before.find((each) => boundName(each) === name)
    const now = after.find((each) => boundName(each) === name)
    return old?.hash === now?.hash ? [] : [{ name, before: old?.text ?? null, after: now?.text ?? null }]
  })
}
