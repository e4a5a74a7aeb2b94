import type { Danger } from '../finding'
import { isInsideAny, type Places } from '../paths/paths'
import { possiblePaths, vitalTarget } from '../paths/vital-paths'
import type { Carried } from '../programs/carried'
import { programDanger } from '../programs/danger-programs'
import { isInterpreter, isShell } from '../programs/interpreters'
import { comesFromNetwork, pipedWords, printedText } from '../programs/piped-text'
import { carriedBy } from '../programs/unwrap'
import type { Variable } from '../shell/expand'
import { type Field, UNKNOWN } from '../shell/field'
import type { Invocation, ShellPlan } from '../shell/plan'
import { baseName } from '../shell/program-name'
import { planShell } from '../shell/walk'
import { codeDanger } from './danger-code'
import { operandDanger, redirectDanger } from './danger-operands'
import { TOO_DEEP, wholeDanger } from './danger-together'

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
  const context = { cwds: invocation.cwds, places }
  const own =
    programDanger(name, fields, context) ??
    (file === name ? null : programDanger(file, fields, context)) ??
    operandDanger(name, fields, invocation, places) ??
    strangerDanger(name, fields, context)
  if (own) return own
  for (const carried of carriedBy(name, fields, pipedWords(invocation.source))) {
    const found = carriedDanger(carried, invocation, places, depth + 1)
    if (found) return found
  }
  return standardInputDanger(name, fields, invocation, places, depth)
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

/** A program that nobody knows, told to go through everything: perhaps a copy of one that is known. */
function strangerDanger(
  name: string,
  fields: readonly Field[],
  context: { cwds: readonly (string | null)[]; places: Places },
): Danger | null {
  if (!name.startsWith('./') || !fields.some(({ text }) => /^-[A-Za-z]*[rR]/.test(text))) return null
  const vital = fields
    .slice(1)
    .some(
      (field) =>
        !field.text.startsWith('-') &&
        /whole file system|home folder/.test(vitalTarget(field, context.cwds, context.places) ?? ''),
    )
  return vital ? { word: 'delete', reason: 'hands everything to a program of the workspace' } : null
}

function carriedDanger(carried: Carried, invocation: Invocation, places: Places, depth: number): Danger | null {
  switch (carried.kind) {
    case 'argv':
      return argvDanger(carried.fields, invocation, places, depth)
    case 'script': {
      const { text, unknown } = carried.field
      const bare = text.replaceAll(UNKNOWN, ' ').trim()
      if (unknown && bare === '') return { word: 'run', reason: 'runs a text that is only known when it runs' }
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
function scriptDanger(
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

export function walkEnvironment(
  places: Places,
  cwd: string,
): { home: string; cwd: string; folder(target: string, from: string): string | null } {
  return {
    home: places.files.home,
    cwd,
    folder: (target, from) =>
      possiblePaths({ text: target, unknown: false, pattern: null }, [from], places).at(-1) ?? null,
  }
}

/** A shell that reads commands from a pipe or a text block runs whatever comes out of it. */
function standardInputDanger(
  name: string,
  fields: readonly Field[],
  invocation: Invocation,
  places: Places,
  depth: number,
): Danger | null {
  const shell = isShell(name) || /^(?:iex|invoke-expression)$/.test(name)
  const sourcing = name === 'source' || name === '.'
  if (!shell && !isInterpreter(name) && !sourcing && name !== 'at' && name !== 'batch') return null
  const operands = fields.slice(1).filter((field) => !/^[-+].+/.test(field.text))
  const file = operands[0]
  if ((shell || sourcing) && file?.unknown)
    return { word: 'run', reason: 'runs a text that is only known when it runs' }
  if (fields.slice(1).some((field) => /^-[A-Za-z]*[ce]/.test(field.text) && !field.text.startsWith('--'))) return null
  if (
    file &&
    !/^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0|\/dev\/fd\/0)$/.test(file.text) &&
    !fields.some((field) => field.text === '-s')
  )
    return null
  const block = invocation.redirects.find(({ operator }) => operator === '<<' || operator === '<<<')?.target
  const text = block ? block.text : printedText(invocation.source)
  if (text !== null && !block?.unknown) {
    if (!shell && name !== 'at' && name !== 'batch')
      return codeDanger(text, invocation.cwds, places, (inner) =>
        scriptDanger(inner, invocation.cwds, places, depth + 1),
      )
    return scriptDanger(text, invocation.cwds, places, depth + 1)
  }
  if (block?.unknown && shell) return scriptDanger(block.text, invocation.cwds, places, depth + 1)
  if (invocation.source === null) return null
  if (comesFromNetwork(invocation.source)) return { word: 'run', reason: 'runs what it has just downloaded' }
  return shell ? { word: 'run', reason: 'runs as commands whatever the pipe delivers' } : null
}
