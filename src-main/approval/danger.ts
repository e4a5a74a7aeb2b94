import { codeDanger } from './danger-code'
import { programDanger } from './danger-programs'
import { VITAL_PROCESSES } from './danger-system'
import { isDevice, possiblePaths, vitalTarget } from './danger-targets'
import type { Danger } from './finding'
import { inWorkspace, isInsideAny, type Places } from './paths'
import { protectedReason } from './protected-paths'
import { secretReason } from './secret-paths'
import { type Field, UNKNOWN, type Variable } from './shell-fields'
import { type Invocation, planShell, type ShellPlan } from './shell-walk'
import { type Carried, carriedBy, isInterpreter, isShell } from './unwrap'

const MAX_DEPTH = 8
const TOO_DEEP: Danger = { word: 'run', reason: 'hides what it runs behind too many layers' }
const WRITES = new Set(['>', '>>', '>|', '&>', '&>>', '<>', '>&'])
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+|ptmx|pts\/\d+)$/
/** Commands that name a file without opening it. */
const METADATA = new Set(
  `ls stat file find fd test [ du df tree echo printf basename dirname realpath readlink lsblk blkid findmnt which type cd mkdir touch
  chmod chown rm rmdir git rg grep man mount umount ln exit true false lsattr udevadm smartctl code command pgrep`.split(
    /\s+/,
  ),
)
/** Their first operand is what to look for or to do, not a file. */
const READS_AFTER_PATTERN = new Set('grep rg egrep fgrep jq sed awk gawk mawk ag ack'.split(' '))

/** Whether an invocation belongs to a class that is never automatic, looking through wrappers, nested shells and pipes. */
export function invocationDanger(invocation: Invocation, places: Places, depth = 0): Danger | null {
  return redirectDanger(invocation, places) ?? argvDanger(invocation.fields, invocation, places, depth)
}

export function planDanger(plan: ShellPlan, places: Places, depth = 0): Danger | null {
  const whole = wholeDanger(plan, places, depth)
  if (whole) return whole
  for (const invocation of plan.invocations) {
    const found = invocationDanger(invocation, places, depth)
    if (found) return found
  }
  return null
}

/** What only shows when the parts are seen together. */
export function wholeDanger(plan: ShellPlan, places: Places, depth = 0): Danger | null {
  if (plan.recursive) return { word: 'run', reason: 'starts copies of itself without end' }
  if (plan.unsearched) return TOO_DEEP
  const names = plan.invocations.flatMap(({ fields }) => fields.map(({ text }) => text))
  // Looked up by name, then ended by number.
  const looksUp = plan.invocations.some(
    ({ fields: [program, ...rest] }) =>
      /^(?:pgrep|pidof|grep)$/.test(program?.text ?? '') &&
      rest.some(({ text }) => VITAL_PROCESSES.includes(text.replace(/[[\]]/g, '').toLowerCase())),
  )
  if (looksUp && names.includes('kill')) return { word: 'kill', reason: 'ends processes that it did not start' }
  const written = new Map<string, string>()
  for (const invocation of plan.invocations) {
    for (const { text } of written.size > 0 ? invocation.fields : []) {
      const script = written.get(
        possiblePaths({ text, unknown: false, pattern: null }, invocation.cwds, places).at(-1) ?? '',
      )
      const found = script === undefined ? null : scriptDanger(script, invocation.cwds, places, depth + 1)
      if (found) return { ...found, reason: `writes a script and uses it: ${found.reason}` }
    }
    const text = printedText(invocation)
    for (const { operator, target } of invocation.redirects) {
      if (text === null || !target || !WRITES.has(operator)) continue
      for (const path of possiblePaths(target, invocation.cwds, places))
        written.set(path, `${written.get(path) ?? ''}\n${text}`)
    }
  }
  return null
}

function redirectDanger(invocation: Invocation, places: Places): Danger | null {
  for (const { operator, target } of invocation.redirects) {
    if (!target || operator === '<<' || operator === '<<<') continue
    for (const path of possiblePaths(target, invocation.cwds, places)) {
      const found = WRITES.has(operator) ? writeDanger(path, places) : readDanger(path, places)
      if (found) return found
    }
  }
  return null
}

/** Writing to a device, or to a file that decides what runs later. */
export function writeDanger(path: string, places: Places): Danger | null {
  if (HARMLESS_DEVICES.test(path)) return null
  if (isDevice(path)) return { word: 'disk', reason: `writes to the device ${path}` }
  if (/^\/proc\/sysrq-trigger$|^\/sys\/power\//.test(path))
    return { word: 'power', reason: 'switches the computer off or restarts it' }
  if (isInsideAny(path, places.own))
    return { word: 'settings', reason: `touches ${path}, which belongs to Deckhand itself` }
  const protection = protectedReason(inWorkspace(path, places))
  return protection === null ? null : { word: 'config', reason: `changes ${path}: ${protection}` }
}

export function readDanger(path: string, places: Places): Danger | null {
  if (HARMLESS_DEVICES.test(path)) return null
  if (isDevice(path)) return { word: 'disk', reason: `reads the device ${path}` }
  if (isInsideAny(path, places.own) && !isInsideAny(path, places.readable))
    return { word: 'settings', reason: `touches ${path}, which belongs to Deckhand itself` }
  const secret = secretReason(inWorkspace(path, places))
  return secret === null ? null : { word: 'secret', reason: secret }
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

export function baseName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase()
  return name.replace(/\.(?:exe|com|cmd|bat)$/, '')
}

/** Secrets and devices as operands, also behind `@`, `=` and `:`. */
function operandDanger(name: string, fields: readonly Field[], invocation: Invocation, places: Places): Danger | null {
  if (METADATA.has(name) && !READS_AFTER_PATTERN.has(name)) return null
  for (const field of READS_AFTER_PATTERN.has(name) ? afterPattern(fields) : fields.slice(1)) {
    const text = field.text
    if (text.length > 4096) continue
    const candidates = /^-|[@=]/.test(text) ? [text, ...text.split(/[@=]/).slice(1)] : [text]
    for (const candidate of candidates) {
      if (
        candidate === '' ||
        candidate.startsWith('-') ||
        /[\s'"(){};$]/.test(candidate) ||
        /^\w+:\/\//.test(candidate)
      )
        continue
      for (const path of possiblePaths({ ...field, text: candidate }, invocation.cwds, places)) {
        const found = readDanger(path, places)
        // A bare word such as `credentials` is only a file if it is there.
        if (
          found &&
          (/[./]/.test(candidate) ||
            places.files.lstat(path) !== null ||
            secretReason(path.slice(0, path.lastIndexOf('/'))))
        )
          return found
      }
    }
  }
  return null
}

/** The files of a search; what is searched for may look like anything. */
function afterPattern(fields: readonly Field[]): readonly Field[] {
  if (fields.some((field) => /^(?:-[A-Za-z]*[ef]|--regexp|--file)/.test(field.text))) return fields.slice(1)
  const pattern = fields.findIndex((field, index) => index > 0 && !field.text.startsWith('-'))
  return pattern < 0 ? [] : fields.slice(pattern + 1)
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
  const shell = isShell(name)
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
  if (downloads(invocation.source)) return { word: 'run', reason: 'runs what it has just downloaded' }
  return shell ? { word: 'run', reason: 'runs as commands whatever the pipe delivers' } : null
}

function downloads(source: Invocation | null): boolean {
  for (let each = source; each !== null; each = each.source) {
    if (
      each.fields.some((field) =>
        /^(?:curl|wget|fetch|aria2c|http|https|xh|nc|ncat|lwp-download|iwr)$/.test(baseName(field.text)),
      )
    )
      return true
  }
  return false
}

/** What echo and printf put into a pipe, escapes resolved; `null` for any other source. */
function printedText(source: Invocation | null): string | null {
  if (!source || source.fields.some((field) => field.unknown || field.pattern)) return null
  const [name, ...words] = source.fields.map((field) => field.text)
  if (name === 'echo')
    return resolveEscapes(words.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' '))
  if (name === 'printf')
    return resolveEscapes((words[0] ?? '').includes('%') ? words.slice(1).join(' ') : (words[0] ?? ''))
  const block = source.redirects.find(({ operator }) => operator === '<<' || operator === '<<<')?.target
  return name === 'cat' && words.length === 0 && block && !block.unknown ? block.text : null
}

const resolveEscapes = (text: string): string =>
  text
    .replace(/\\x([\da-f]{1,2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\0?([0-7]{1,3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')

/** What xargs would append: told by echo and find, otherwise anything. */
function pipedWords(source: Invocation | null): Field[] {
  const anything: Field = { text: UNKNOWN, unknown: true, pattern: null }
  const [name, ...words] = source?.fields ?? []
  if (name?.text === 'echo')
    return words.flatMap((field) => field.text.split(/\s+/).map((text) => ({ ...field, text })))
  if (name?.text === 'printf')
    return words.flatMap((field) =>
      field.text
        .split(/\s+|\\[nt0]+/)
        .filter((text) => text !== '')
        .map((text) => ({ ...field, text })),
    )
  if (name?.text === 'find' || name?.text === 'fd') {
    const filtered = words.some((field) => /^-(?:i?name|i?path|i?regex|mindepth)$/.test(field.text))
    const starts = words.slice(0, words.findIndex((field) => /^[-(!]/.test(field.text)) >>> 0)
    return (starts.length > 0 ? starts : [{ text: '.', unknown: false, pattern: null }]).map((start) =>
      filtered ? { ...start, text: `${start.text}/unknown/file` } : start,
    )
  }
  if (/^(?:git|rg|grep|fd|ls-files)$/.test(name?.text ?? ''))
    return [{ text: 'unknown/file', unknown: false, pattern: null }]
  return [anything]
}
