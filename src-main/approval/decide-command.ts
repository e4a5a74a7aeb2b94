import type { SubCommand } from '../../src-preload/contract/approval'
import { invocationDanger, togetherDanger, walkEnvironment } from './checks/danger'
import { textDanger } from './checks/danger-text'
import { windowsDanger } from './checks/danger-windows'
import { type EditContext, editTrouble, writeTrouble } from './checks/edits'
import { readingDoubt } from './checks/reads-only'
import { type Effects, effectsOf } from './checks/touches'
import { sentence, whatItDoes } from './checks/wording'
import { type Danger, type Finding, modeVerdict, worse } from './finding'
import { knownShell, shellDifference } from './known-shell'
import { isInsideAny, type Places, shortPath } from './paths/paths'
import { type Doubt, first } from './programs/facts'
import { pathDoubt } from './programs/reading-paths'
import { factsOf } from './programs/registry'
import { boundContent } from './rules/bound-content'
import { type RuleContext, rulingOn } from './rules/rules'
import type { Invocation, Redirect, ShellPlan } from './shell/plan'
import { baseName } from './shell/program-name'
import { planShell } from './shell/walk'
import { typedPieces, typedText } from './typed-text'
import type { Access, Policy, RuleTarget } from './types'
import { hasInvisible, makeVisible } from './visible'

const MAX_BYTES = 8192
const MAX_COMMANDS = 50
/** A longer text is not looked through to its end. */
const MAX_SEARCHED = 262_144
const HARMLESS_VARIABLES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    NO_COLOR: /^\w*$/,
    FORCE_COLOR: /^\w*$/,
    CLICOLOR: /^\w*$/,
    CLICOLOR_FORCE: /^\w*$/,
    LC_ALL: /^(?:C|POSIX|[A-Za-z_]+\.UTF-?8|C\.UTF-8)$/i,
    LC_COLLATE: /^(?:C|POSIX|[A-Za-z_]+\.UTF-?8)$/i,
    LANG: /^(?:C|POSIX|[A-Za-z_]+\.UTF-?8|C\.UTF-8)$/i,
    TZ: /^(?:UTC|GMT|[A-Z][a-z]+\/[A-Z][A-Za-z_]+)$/,
    COLUMNS: /^\d*$/,
    CI: /^\w*$/,
  }),
)

/** Something that has to be allowed, and what a rule could say about it; `null` where no rule can. */
export interface Item {
  finding: Finding
  target: RuleTarget | null
}

/** One part of a command with what was found out about it: the program first, then what its redirections touch. */
export interface Part {
  invocation: Invocation
  finding: Finding
  effects: Effects
  /** Why it may be more than a reading, if it asks for that. */
  doubt: Doubt['kind'] | null
  /** Files that it is known to touch, canonical. */
  touched: readonly string[]
  /** Files outside the workspace that it would read. */
  outside: readonly string[]
  items: Item[]
}

export interface CommandReading {
  /** For the whole; the verdict of a mode or rule comes after it. */
  finding: Finding
  parts: Part[]
  /** It reads so differently from what it shows that no rule may speak for it. */
  opaque: boolean
  /** Why the user's own shell may read it differently; `null` for what every shell reads alike. */
  difference: string | null
}

/** Reads a command: what it would do, how far that goes, and why. No mode and no rule has a say here. */
export function readCommand(access: Access, policy: Policy, places: Places): CommandReading {
  const text = access.typed ? typedText(access.line ?? access.command ?? '') : (access.command ?? '')
  const refusal = refused(access)
  if (refusal) return { finding: refusal, parts: [], opaque: true, difference: null }
  const cwd = places.files.realpath(access.cwd) ?? access.cwd
  const plan = access.argv ? planArgv(access.argv, cwd) : planShell(text, walkEnvironment(places, cwd))
  const isWindows = places.files.os === 'windows'
  const foreign = isWindows ? ['it is for PowerShell or cmd, which Deckhand cannot read'] : []
  const difference = access.argv ? null : shellDifference(text, plan)
  const shell = knownShell((path) => places.files.lstat(path) !== null)
  const troubles = [
    ...foreign,
    ...textTroubles(text, plan),
    ...environmentTroubles(access),
    ...plan.troubles,
    ...(difference !== null && shell === null ? [difference] : []),
  ]
  const parts = plan.invocations.slice(0, MAX_COMMANDS * 4).map((invocation) => readPart(invocation, access, places))

  const [unread] = foreign
  let finding: Finding = unread
    ? { level: 'ask', reason: sentence(unread) }
    : { level: 'safe', reason: 'It only reads inside the workspace' }
  for (const part of parts) finding = worse(finding, part.finding)
  const trouble = troubles[0]
  if (trouble !== undefined) finding = worse(finding, { level: 'ask', reason: sentence(trouble) })
  const whole = access.argv
    ? null
    : (togetherDanger(plan, places) ?? otherShellDanger(text, cwd, places) ?? movedDanger(access, cwd, places))
  if (whole) finding = worse(finding, dangerous(whole))
  const onWindows = isWindows ? windowsDanger(text) : null
  if (onWindows) finding = worse(finding, dangerous(onWindows))
  if (finding.level !== 'danger' && finding.level !== 'deny') {
    const hidden = plan.troubles.length > 0 ? textDanger(text) : null
    if (hidden) finding = dangerous(hidden)
    else if (hasInvisible(text)) finding = worse(finding, { level: 'hold', reason: 'It contains invisible characters' })
    else if (text.length > MAX_SEARCHED || plan.invocations.length > parts.length)
      finding = worse(finding, { level: 'hold', reason: 'It is too long to check' })
    else if (policy.mode === 'all' && access.tainted) finding = worse(finding, taintFinding(parts, troubles))
  }
  const opaque = troubles.length > 0 || parts.some(({ invocation }) => invocation.trouble !== null)
  return { finding, parts, opaque, difference }
}

/** A program may read the folder that it is started in without naming it. */
function folderFinding({ fields, cwds }: Invocation, context: EditContext): Finding | null {
  const { places } = context
  const away = cwds.find((cwd) => cwd !== null && !isInsideAny(cwd, places.readFolders))
  if (away == null || fields.length === 0) return null
  context.outside.push(away)
  return { level: 'ask', reason: `It runs in a folder outside the workspace: ${shortPath(away, places)}` }
}

/** With the cursor moved, what was typed later may stand before what was typed first. */
function movedDanger({ typed, line = '' }: Access, cwd: string, places: Places): Danger | null {
  const pieces = typed ? typedPieces(line) : []
  if (pieces.length < 2) return null
  const text = pieces.toReversed().join('')
  const plan = planShell(text, walkEnvironment(places, cwd))
  return (
    textDanger(text) ??
    first(plan.invocations, (invocation) => invocationDanger(invocation, places)) ??
    togetherDanger(plan, places)
  )
}

/** dash takes `ls &>x rm` for two commands, of which the first is left running. */
function otherShellDanger(text: string, cwd: string, places: Places): Danger | null {
  if (!text.includes('&>')) return null
  const plan = planShell(text.replaceAll('&>', '& >'), walkEnvironment(places, cwd))
  return first(plan.invocations, (invocation) => invocationDanger(invocation, places)) ?? togetherDanger(plan, places)
}

function refused({ command, argv, typed }: Access): Finding | null {
  if (!typed && (argv ?? [command ?? '']).some((word) => word.includes('\0')))
    return { level: 'deny', reason: 'It contains a NUL character' }
  // Enter alone can be typed.
  return (argv ? argv.length === 0 : !typed && (command ?? '').trim() === '')
    ? { level: 'deny', reason: 'There is no command' }
    : null
}

/** Text from outside may try to make the session send data somewhere; code that was not looked at may do that too. */
function taintFinding(parts: readonly Part[], troubles: readonly string[]): Finding {
  const after = 'after text from outside entered the session'
  if (parts.some(({ effects }) => effects.connects)) return { level: 'hold', reason: `It uses the network ${after}` }
  if (troubles.length > 0 || parts.some(({ effects }) => effects.runs))
    return { level: 'hold', reason: `It runs code that may use the network ${after}` }
  return { level: 'safe', reason: '' }
}

function textTroubles(text: string, plan: ShellPlan): string[] {
  const troubles: string[] = []
  if (hasInvisible(text)) troubles.push('it contains invisible characters')
  if (Buffer.byteLength(text) > MAX_BYTES) troubles.push('it is too long to check')
  if (plan.invocations.length > MAX_COMMANDS) troubles.push('it has too many parts')
  return troubles
}

function environmentTroubles(access: Access): string[] {
  const troubles = Object.entries(access.env ?? {})
    .filter(([name, value]) => !HARMLESS_VARIABLES.get(name)?.test(value))
    .map(([name]) => `it sets the variable ${name}`)
  if (access.typed) troubles.push('it is typed into a terminal that is already running')
  return troubles
}

/** A program started without a shell: its words are what they are. */
function planArgv(argv: readonly string[], cwd: string): ShellPlan {
  const fields = argv.map((text) => ({ text, unknown: false, pattern: null }))
  const invocation: Invocation = {
    text: argv.join(' '),
    fields,
    assignments: [],
    redirects: [],
    cwds: [cwd],
    source: null,
    trouble: null,
  }
  return { invocations: [invocation], troubles: [], recursive: false, unsearched: false }
}

function readPart(invocation: Invocation, access: Access, places: Places): Part {
  const context: EditContext = { places, cwds: invocation.cwds, reads: [], outside: [], writes: [], deletes: [] }
  const danger = invocationDanger(invocation, places)
  const found: CommandFinding = danger
    ? dangerous(danger)
    : (spellingFinding(invocation) ?? commandFinding(invocation, context))
  const redirects = invocation.redirects.map((redirect) => redirectFinding(redirect, context))
  const effects = effectsOf(invocation, context, places)
  const own = worse(worded(found, invocation, effects), folderFinding(invocation, context) ?? found)
  return {
    invocation,
    finding: redirects.reduce(worse, own),
    effects,
    doubt: found.doubt?.kind ?? null,
    outside: context.outside,
    touched: [...context.reads, ...context.writes, ...context.deletes],
    items: [
      { finding: own, target: targetOf(invocation, access, places) },
      ...redirects.map((finding) => ({ finding, target: null })),
    ],
  }
}

/** Where only the program is in doubt, what it does is the better reason. */
function worded({ doubt, ...finding }: CommandFinding, invocation: Invocation, effects: Effects): Finding {
  if (doubt?.kind !== 'program') return finding
  return { ...finding, reason: whatItDoes(invocation, effects) ?? finding.reason }
}

function targetOf(invocation: Invocation, access: Access, places: Places): RuleTarget | null {
  const { fields, cwds } = invocation
  if (fields.length === 0 || spellingFinding(invocation) || fields.some((field) => field.unknown || field.pattern))
    return null
  const argv = fields.map((field) => field.text)
  const program = argv[0] ?? ''
  const cwd = cwds.length === 1 ? (cwds[0] ?? null) : null
  // A permission for a command does not cover programs that the folder's own configuration makes it run.
  if (factsOf(baseName(program))?.folder?.({ cwds, places })) return null
  const file = program.includes('/')
    ? places.files.realpath(program.startsWith('/') ? program : `${cwd ?? access.cwd}/${program}`)
    : places.files.which(program)
  const bound = boundContent(argv, cwd, places)
  return { kind: 'command', argv, program: file, cwd, ...(bound.length > 0 && { bound }) }
}

/** Finds expansions and variables around the words of a command. */
function spellingFinding({ trouble, fields, assignments }: Invocation): Finding | null {
  if (trouble !== null) return { level: 'ask', reason: sentence(`it ${trouble}`) }
  if (fields.length === 0 && assignments.length > 0) return { level: 'ask', reason: 'It sets a variable' }
  const variable = assignments.find(({ name, value }) => value === null || !HARMLESS_VARIABLES.get(name)?.test(value))
  return variable ? { level: 'ask', reason: `It sets the variable ${variable.name}` } : null
}

/** The finding about the words of a command; `doubt` is why it asks. */
type CommandFinding = Finding & { doubt?: Doubt }

function commandFinding(invocation: Invocation, context: EditContext): CommandFinding {
  const found = readingDoubt(invocation.fields, context)
  if (found === null) return { level: 'safe', reason: 'It only reads inside the workspace' }
  if (editTrouble(invocation.fields, context) === null)
    return { level: 'edit', reason: 'It changes files inside the workspace' }
  return { level: 'ask', reason: sentence(found.reason), doubt: found }
}

function redirectFinding({ operator, descriptor, target, trouble }: Redirect, context: EditContext): Finding {
  const safe: Finding = { level: 'safe', reason: 'It only reads inside the workspace' }
  if (trouble !== null || target === null || target.pattern)
    return { level: 'ask', reason: 'It redirects to something that cannot be checked' }
  if (operator === '<<' || operator === '<<<') return safe
  if (target.unknown || (descriptor ?? 0) > 2)
    return { level: 'ask', reason: 'It redirects to something that cannot be checked' }
  if (operator === '>&' && /^[12]$/.test(target.text)) return safe
  if (operator === '<') {
    const found = pathDoubt(target.text, context)
    return found === null ? safe : { level: 'ask', reason: sentence(found.reason) }
  }
  if (!/^(?:>|>>|>\||&>|&>>)$/.test(operator)) return { level: 'ask', reason: 'It redirects in an unusual way' }
  if (/^\/dev\/(?:null|stdout|stderr)$/.test(target.text)) return safe
  const found = writeTrouble(target.text, context)
  return found === null
    ? { level: 'edit', reason: `It writes ${target.text}` }
    : { level: 'ask', reason: sentence(found) }
}

const dangerous = ({ word, reason }: Danger): Finding => ({ level: 'danger', reason: sentence(reason), word })

/** The rows of the card, each with the verdict that it would get alone. */
export function rowsOf({ parts }: CommandReading, context: RuleContext): SubCommand[] {
  const rows = new Map<string, SubCommand>()
  for (const { invocation, finding, effects, items } of parts) {
    const rulings = items.map(({ target }) => (target && finding.level !== 'danger' ? rulingOn(target, context) : null))
    const ruling = rulings.find((rule) => rule !== null) ?? null
    const alone = items.every(
      (item, index) =>
        rulings[index]?.verdict === 'allow' || modeVerdict(item.finding.level, context.policy.mode) === 'allow',
    )
    const verdict =
      ruling?.verdict === 'deny' ? 'deny' : alone ? 'allow' : modeVerdict(finding.level, context.policy.mode)
    const text = makeVisible(invocation.text)
    const reason = ruling && verdict !== 'ask' ? ruling.sentence : finding.reason
    const row: SubCommand = {
      text,
      verdict,
      reason,
      ...(finding.level === 'danger' && { danger: true }),
      ...(Object.keys(effects).length > 0 && { effects }),
    }
    rows.set(`${text}\0${verdict}\0${reason}`, row)
    if (rows.size >= MAX_COMMANDS) break
  }
  return [...rows.values()]
}
