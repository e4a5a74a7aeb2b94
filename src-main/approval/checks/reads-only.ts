import { isInsideAny } from '../paths/paths'
import { readOptions } from '../programs/options'
import { isFolder, pathTrouble, type SafeContext, secretBelow, type Trouble } from '../programs/reading-paths'
import { specialTrouble } from '../programs/safe-special'
import { SAFE_COMMANDS, type SafeCommand } from '../programs/safe-table'
import type { Field } from '../shell/field'
import { expandPattern } from '../shell/glob'

const BUILTINS = new Set('cd echo printf test [ pwd true false : type command set exit'.split(' '))
const TRUSTED_FOLDERS = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'])
/** Why an invocation is more than a reading of the workspace; its reads are added to `context`. */
export function safeTrouble(fields: readonly Field[], context: SafeContext): Trouble {
  const [program, ...rest] = fields
  if (!program) return null
  if (program.unknown || program.pattern) return 'the program is only known when it runs'
  const name = programName(program.text, context)
  if (name === null) return `${program.text} is not a program of the system`
  // echo may show what is not known yet, such as $?, but not the names of files elsewhere.
  if (name === 'echo') return patternTrouble(rest, name, context)
  const words = plainWords(rest, name, context)
  if (!Array.isArray(words)) return words.trouble
  const inner = name === 'timeout' ? afterTimeout(words) : null
  if (inner)
    return safeTrouble(
      inner.map((text) => ({ text, unknown: false, pattern: null })),
      context,
    )
  const found = specialTrouble(name, words, context)
  return found === undefined ? checkTable(name, words, context) : found
}

/** Bare names and the system's own folders; a file of the workspace that is called `ls` is not `ls`. */
function programName(text: string, { places }: SafeContext): string | null {
  const slash = text.lastIndexOf('/')
  if (slash >= 0 && !TRUSTED_FOLDERS.has(text.slice(0, slash))) return null
  const name = text.slice(slash + 1)
  if (slash < 0 && BUILTINS.has(name)) return name
  const found = slash < 0 ? places.files.which(name) : places.files.realpath(text)
  if (found === null) return name
  return found.startsWith('/') && !isInsideAny(found, places.folders) ? name : null
}

/** The words after the shell has expanded its patterns. */
function plainWords(fields: readonly Field[], name: string, context: SafeContext): string[] | { trouble: string } {
  const words: string[] = []
  for (const field of fields) {
    if (field.unknown) return { trouble: 'uses a value that is only known when it runs' }
    if (!field.pattern) {
      words.push(field.text)
      continue
    }
    const [cwd, ...others] = context.cwds
    if (cwd == null || others.length > 0) return { trouble: `nobody can tell what ${field.text} stands for` }
    const expanded = expandPattern(field.pattern, cwd, context.places.files)
    if (expanded === null) return { trouble: `${field.text} stands for too many files` }
    const [first] = field.pattern
    const written = first !== undefined && 'literal' in first && first.literal.startsWith('-')
    const option = written && first.literal.includes('=') ? undefined : expanded.find((word) => word.startsWith('-'))
    if (option !== undefined)
      return { trouble: `${field.text} matches a file called ${option}, which ${name} would take for an option` }
    const elsewhere = written
      ? null
      : (expanded.map((word) => pathTrouble(word, context, true)).find((found) => found !== null) ?? null)
    if (elsewhere !== null) return { trouble: elsewhere }
    words.push(...expanded)
  }
  return words
}

function patternTrouble(fields: readonly Field[], name: string, context: SafeContext): Trouble {
  const words = plainWords(
    fields.filter((field) => field.pattern !== null),
    name,
    context,
  )
  return Array.isArray(words) ? null : words.trouble
}

function checkTable(name: string, words: string[], context: SafeContext): Trouble {
  const command = SAFE_COMMANDS.get(name)
  if (!command) return `${name} is not a program that Deckhand knows to be harmless`
  const read = readOptions(words, command)
  if (typeof read === 'string') return `${name}: ${read}`
  const given = new Set(read.options.map((option) => option.name))
  for (const { name: option, value } of read.options) {
    if (value !== null && command.paths?.includes(option)) {
      const trouble = pathTrouble(value, context)
      if (trouble !== null) return trouble
    }
  }
  const { operands } = read
  if (operands.length < (command.min ?? 0) || operands.length > (command.max ?? Infinity))
    return `${name} has an unusual number of operands`
  if (command.operands === 'none') return operands.length === 0 ? null : `${name} with an operand may change something`
  if (command.operands === 'text') return null
  const patterned =
    command.operands === 'pattern then path' && !command.patternOptions?.some((option) => given.has(option))
  const paths = patterned ? operands.slice(1) : operands
  return pathsTrouble(paths, command, given, context)
}

function pathsTrouble(
  paths: readonly string[],
  command: SafeCommand,
  given: ReadonlySet<string>,
  context: SafeContext,
): Trouble {
  for (const path of paths) {
    const trouble = pathTrouble(path, context, command.metadata)
    if (trouble !== null) return trouble
    if (command.filesOnly && isFolder(path, context)) return `${path} is a folder, and links in it would be followed`
  }
  const deeper = command.recursive?.some((option) => given.has(option)) ?? false
  if (!deeper && !command.descends) return null
  for (const path of paths.length > 0 ? paths : ['.']) {
    const secret = secretBelow(path, deeper, context)
    if (secret !== null) return `it would also read ${secret}`
  }
  return null
}

function afterTimeout(words: string[]): string[] | null {
  const read = readOptions(words, {
    short: 'k:s:v',
    long: 'kill-after= signal= foreground preserve-status verbose',
    strict: true,
  })
  if (typeof read === 'string') return null
  const [duration, ...inner] = read.operands
  return /^\d+(?:\.\d+)?[smhd]?$/.test(duration ?? '') && inner.length > 0 && inner[0] !== 'cd' ? inner : null
}
