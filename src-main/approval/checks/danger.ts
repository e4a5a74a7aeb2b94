import type { Danger } from '../finding'
import { isInsideAny, type Places } from '../paths/paths'
import type { Vital } from '../paths/vital-paths'
import type { Carried } from '../programs/carried'
import type { ProgramFacts, Standing } from '../programs/facts'
import { factsOf } from '../programs/registry'
import type { Variable } from '../shell/expand'
import { type Field, UNKNOWN } from '../shell/field'
import type { Invocation, ShellPlan, WalkEnvironment } from '../shell/plan'
import { baseName } from '../shell/program-name'
import { planShell } from '../shell/walk'
import { possiblePaths, vitalTarget } from '../shell/word-paths'
import { codeDanger } from './danger-code'
import { operandDanger, redirectDanger } from './danger-operands'
import { TOO_DEEP, wholeDanger } from './danger-together'
import { choosesFiles, comesFromNetwork, pipedWords, printedText, substitutedText } from './pipes'

const MAX_DEPTH = 8
/** GIT_PAGER, EDITOR, LESSOPEN, GIT_SSH_COMMAND, PROMPT_COMMAND, GIT_EXTERNAL_DIFF, PS4 … */
const PROGRAM_VARIABLE = /(?:PAGER|EDITOR|VISUAL|BROWSER|COMMAND|OPEN|CLOSE|ASKPASS|_SSH|_DIFF|SHELL|PS[0-4])$/
/** Whether an invocation belongs to a class that is never automatic, looking through wrappers, nested shells and pipes. */
export function invocationDanger(invocation: Invocation, places: Places, depth = 0): Danger | null {
  return (
    redirectDanger(invocation, places) ??
    variableDanger(invocation, places, depth) ??
    argvDanger(invocation.fields, invocation, places, depth)
  )
}

/** What only shows when the parts are seen together. */
export const togetherDanger = (plan: ShellPlan, places: Places, depth = 0): Danger | null =>
  wholeDanger(plan, places, (text, cwds) => scriptDanger(text, cwds, places, depth + 1))

function planDanger(plan: ShellPlan, places: Places, depth: number): Danger | null {
  const whole = togetherDanger(plan, places, depth)
  if (whole) return whole
  for (const invocation of plan.invocations) {
    const found = invocationDanger(invocation, places, depth)
    if (found) return found
  }
  return null
}

/** `PAGER='…' man ls`: some variables name what a program will start. */
function variableDanger({ assignments, cwds }: Invocation, places: Places, depth: number): Danger | null {
  for (const { name, value } of assignments) {
    if (value === null || !PROGRAM_VARIABLE.test(name)) continue
    const found = scriptDanger(value.replace(/^[|!]+/, ''), cwds, places, depth + 1)
    if (found) return found
  }
  return null
}

function argvDanger(fields: readonly Field[], invocation: Invocation, places: Places, depth: number): Danger | null {
  const [program] = fields
  if (!program) return null
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (program.unknown || program.pattern)
    return { word: 'run', reason: `the program is only known when it runs: ${invocation.text}` }
  const { name, file } = programNames(program.text, invocation, places)
  const standing = { cwds: invocation.cwds, places }
  const facts = factsOf(name) ?? {}
  const own =
    programDanger(name, fields, standing) ??
    (file === name ? null : programDanger(file, fields, standing)) ??
    operandDanger(facts, fields, invocation, places) ??
    strangerDanger(name, fields, standing)
  if (own) return own
  for (const carried of facts.carries?.(fields.slice(1), pipedWords(invocation.source)) ?? []) {
    const found = carriedDanger(carried, invocation, places, depth + 1) ?? pipedDeletion(facts, carried, invocation)
    if (found) return found
  }
  return standardInputDanger(facts.runs, fields, invocation, places, depth)
}

/** What a program of this name would do that is never automatic. */
function programDanger(name: string, fields: readonly Field[], standing: Standing): Danger | null {
  const danger = factsOf(name)?.danger
  if (danger === undefined) return null
  const args = fields.slice(1)
  const words = args.map((each) => each.text)
  if (typeof danger === 'function') return danger(args, words, standing)
  // Asking a program what it is does no harm.
  return words.length === 1 && /^(?:--help|--version)$/.test(words[0] ?? '')
    ? null
    : { ...danger, reason: `${name} ${danger.reason}` }
}

/** What a program is called, and what the file behind it is: a link may be called anything, a script of the project too. */
function programNames(text: string, invocation: Invocation, places: Places): { name: string; file: string } {
  const name = baseName(text)
  const path = text.includes('/')
    ? possiblePaths({ text, unknown: false, pattern: null }, invocation.cwds, places).at(-1)
    : places.files.which(text)
  if (path == null) return { name, file: name }
  if (text.includes('/') && isInsideAny(path, places.folders)) return { name: `./${name}`, file: `./${name}` }
  return { name, file: baseName(path) }
}

/** `find . | xargs rm`: everything that comes through the pipe is deleted. */
function pipedDeletion(facts: ProgramFacts, carried: Carried, { source }: Invocation): Danger | null {
  if (!facts.takesWords || carried.kind !== 'argv') return null
  const deletes = factsOf(baseName(carried.fields[0]?.text ?? ''))?.deletes
  return deletes && !choosesFiles(source) ? { word: 'delete', reason: 'deletes whatever the pipe names' } : null
}

const EVERYTHING: ReadonlySet<Vital['kind']> = new Set(['file system', 'home', 'above home'])

/** An unknown program of the workspace that is told to go through everything: it may be a copy of `rm`. */
function strangerDanger(name: string, fields: readonly Field[], { cwds, places }: Standing): Danger | null {
  if (!name.startsWith('./') || !fields.some(({ text }) => /^-[A-Za-z]*[rR]/.test(text))) return null
  const everything = fields.slice(1).some((field) => {
    const vital = field.text.startsWith('-') ? null : vitalTarget(field, cwds, places)
    return vital !== null && EVERYTHING.has(vital.kind)
  })
  return everything ? { word: 'delete', reason: 'hands everything to a program of the workspace' } : null
}

function carriedDanger(carried: Carried, invocation: Invocation, places: Places, depth: number): Danger | null {
  switch (carried.kind) {
    case 'argv':
      return argvDanger(carried.fields, invocation, places, depth)
    case 'script': {
      const { text, unknown } = carried.field
      const bare = text.replaceAll(UNKNOWN, ' ').trim()
      if (unknown && bare === '') return { word: 'run', reason: 'runs text that is only known when it runs' }
      const variables = positional(carried.parameters ?? [])
      return scriptDanger(text, invocation.cwds, places, depth, variables)
    }
    case 'code':
      return codeDanger(carried.field.text, invocation.cwds, places, (text) =>
        text === '' ? null : scriptDanger(text, invocation.cwds, places, depth),
      )
  }
}

/** `$0`, `$1`… and `$@` of a script that is given on the command line. */
function positional(fields: readonly Field[]): Map<string, Variable> {
  const value = (text: string, unknown: boolean): Variable => ({ text: unknown ? null : text, loop: false })
  const rest = value(
    fields
      .slice(1)
      .map(({ text }) => text)
      .join(' '),
    fields.slice(1).some(({ unknown }) => unknown),
  )
  return new Map([
    ...fields.map(({ text, unknown }, index): [string, Variable] => [String(index), value(text, unknown)]),
    ['@', rest],
    ['*', rest],
  ])
}

/** The same for a text that some shell would read. */
export function scriptDanger(
  text: string,
  cwds: readonly (string | null)[],
  places: Places,
  depth = 0,
  variables = new Map<string, Variable>(),
): Danger | null {
  if (depth > MAX_DEPTH) return TOO_DEEP
  const plan = planShell(text, walkEnvironment(places, cwds[0] ?? '/'), variables)
  return planDanger(plan, places, depth + 1)
}

export const walkEnvironment = (places: Places, cwd: string): WalkEnvironment => ({
  home: places.files.home,
  cwd,
  folder: (target, from) =>
    possiblePaths({ text: target, unknown: false, pattern: null }, [from], places).at(-1) ?? null,
  output: substitutedText,
})

/** A shell that reads commands from a pipe or a text block runs whatever comes out of it. */
function standardInputDanger(
  runs: ProgramFacts['runs'],
  fields: readonly Field[],
  invocation: Invocation,
  places: Places,
  depth: number,
): Danger | null {
  if (runs === undefined) return null
  const shell = runs === 'shell' || runs === 'expression'
  const operands = fields.slice(1).filter((field) => !/^[-+].+/.test(field.text))
  const file = operands[0]
  if ((shell || runs === 'sourced') && file?.unknown)
    return { word: 'run', reason: 'runs text that is only known when it runs' }
  if (fields.slice(1).some((field) => /^-[A-Za-z]*[ce]/.test(field.text) && !field.text.startsWith('--'))) return null
  if (
    file &&
    !/^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0|\/dev\/fd\/0)$/.test(file.text) &&
    !fields.some((field) => field.text === '-s')
  )
    return null
  const { cwds, source } = invocation
  const script = (text: string): Danger | null => scriptDanger(text, cwds, places, depth + 1)
  const block = invocation.redirects.find(({ operator }) => operator === '<<' || operator === '<<<')?.target
  const text = block ? block.text : printedText(source)
  if (text !== null && !block?.unknown)
    return shell || runs === 'later' ? script(text) : codeDanger(text, cwds, places, script)
  if (block?.unknown && shell) return script(block.text)
  if (source === null) return null
  if (comesFromNetwork(source)) return { word: 'run', reason: 'runs what it has just downloaded' }
  return shell ? { word: 'run', reason: 'runs as commands whatever the pipe delivers' } : null
}
