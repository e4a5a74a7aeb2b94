import { isInsideAny } from '../paths/paths'
import { type Doubt, doubt, first, type ReadingContext, type ReadingTable } from '../programs/facts'
import { isKernelCall } from '../programs/kernel'
import { readOptions } from '../programs/options'
import { projectFilesDoubt } from '../programs/project-files'
import { isFolder, pathDoubt, pathsDoubt, secretBelow } from '../programs/reading-paths'
import { factsOf } from '../programs/registry'
import type { Field } from '../shell/field'
import { expandPattern } from '../shell/glob'

const TRUSTED_FOLDERS = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'])

/**
 * Does this invocation only read what the session may read? `null` if so; otherwise the first doubt, whose kind says what
 * would have to be let through. What it reads is added to `context`.
 */
export function readingDoubt(fields: readonly Field[], context: ReadingContext): Doubt | null {
  const [program, ...rest] = fields
  if (!program) return null
  if (program.unknown || program.pattern) return doubt('unclear', 'the program is only known when it runs')
  const name = programName(program.text, context)
  if (name === null) return doubt('program', `${program.text} is not a program of the system`)
  const known = rest.every(({ unknown, pattern }) => !unknown && !pattern) ? rest.map(({ text }) => text) : null
  if (context.places.kernelOnly && !isKernelCall(name, known))
    return doubt('program', `${name} runs without a question only in a cage`)
  const facts = factsOf(name) ?? {}
  // What it shows may be unknown, but not the names of files elsewhere.
  if (facts.showsWords) return patternDoubt(rest, name, context)
  const words = plainWords(rest, name, context)
  if (!Array.isArray(words)) return words
  const inner = facts.inner?.(words)
  if (inner) return innerDoubt(inner, context)
  if (words.length === 1 && facts.versionWords?.includes(words[0] ?? '')) return projectFilesDoubt(name, facts, context)
  if (typeof facts.reads === 'function') return facts.reads(words, context)
  return facts.reads
    ? tableDoubt(name, words, facts.reads, context)
    : doubt('program', `${name} is not a program that Deckhand knows to be harmless`)
}

function innerDoubt(words: readonly string[], context: ReadingContext): Doubt | null {
  const found = readingDoubt(
    words.map((text) => ({ text, unknown: false, pattern: null })),
    context,
  )
  return found?.kind === 'program' ? { ...found, kind: 'carried' } : found
}

/** Bare names and the system's own folders; a file of the workspace that is called `ls` is not `ls`. */
function programName(text: string, { places }: ReadingContext): string | null {
  const slash = text.lastIndexOf('/')
  if (slash >= 0 && !TRUSTED_FOLDERS.has(text.slice(0, slash))) return null
  const name = text.slice(slash + 1)
  if (slash < 0 && factsOf(name)?.builtin) return name
  const found = slash < 0 ? places.files.which(name) : places.files.realpath(text)
  if (found === null) return name
  return found.startsWith('/') && !isInsideAny(found, places.folders) ? name : null
}

/** The words after the shell has expanded its patterns. */
function plainWords(fields: readonly Field[], name: string, context: ReadingContext): string[] | Doubt {
  const words: string[] = []
  for (const field of fields) {
    if (field.unknown) return doubt('unclear', 'uses a value that is only known when it runs')
    if (!field.pattern) {
      words.push(field.text)
      continue
    }
    const [cwd, ...others] = context.cwds
    if (cwd == null || others.length > 0) return doubt('unclear', `it is not clear what ${field.text} stands for`)
    const expanded = expandPattern(field.pattern, cwd, context.places.files)
    if (expanded === null) return doubt('unclear', `${field.text} stands for too many files`)
    const [start] = field.pattern
    const written = start !== undefined && 'literal' in start && start.literal.startsWith('-')
    const option = written && start.literal.includes('=') ? undefined : expanded.find((word) => word.startsWith('-'))
    if (option !== undefined)
      return doubt('unclear', `${field.text} matches a file called ${option}, which ${name} would take for an option`)
    const elsewhere = written ? null : pathsDoubt(expanded, context, true)
    if (elsewhere !== null) return elsewhere
    words.push(...expanded)
  }
  return words
}

function patternDoubt(fields: readonly Field[], name: string, context: ReadingContext): Doubt | null {
  const words = plainWords(
    fields.filter((field) => field.pattern !== null),
    name,
    context,
  )
  return Array.isArray(words) ? null : words
}

function tableDoubt(
  name: string,
  words: readonly string[],
  table: ReadingTable,
  context: ReadingContext,
): Doubt | null {
  if (table.argumentFiles && words.some((word) => word.startsWith('@')))
    return doubt('unclear', `${name} reads further words from a file`)
  const read = readOptions(words, table)
  if (typeof read === 'string') return doubt('program', `${name}: ${read}`)
  const disputed = first(read.options, ({ name: option, value, apart }) =>
    apart && value !== null && !table.patternOptions?.includes(option) ? disputedDoubt(value, context) : null,
  )
  if (disputed !== null) return disputed
  const given = new Set(read.options.map((option) => option.name))
  const named = first(read.options, ({ name: option, value }) =>
    value !== null && table.paths?.includes(option) ? pathDoubt(value, context) : null,
  )
  if (named !== null) return named
  const { operands } = read
  if (operands.length < (table.min ?? 0) || operands.length > (table.max ?? Infinity))
    return doubt('program', `${name} has an unusual number of operands`)
  if (table.operands === 'none')
    return operands.length === 0 ? null : doubt('program', `${name} with an operand may change something`)
  if (table.operands === 'text') return null
  const patterned = table.operands === 'pattern then path' && !table.patternOptions?.some((option) => given.has(option))
  return operandsDoubt(patterned ? operands.slice(1) : operands, table, given, context)
}

/**
 * A value that stands apart from its option is a file where another version of the program knows that option without a
 * value. It counts where there is such a file.
 */
function disputedDoubt(value: string, context: ReadingContext): Doubt | null {
  const { cwds, places } = context
  const there = cwds.some((cwd) => places.files.lstat(value.startsWith('/') ? value : `${cwd ?? ''}/${value}`) !== null)
  return there ? pathDoubt(value, { ...context, reads: [] }) : null
}

function operandsDoubt(
  paths: readonly string[],
  table: ReadingTable,
  given: ReadonlySet<string>,
  context: ReadingContext,
): Doubt | null {
  const found = first(
    paths,
    (path) =>
      pathDoubt(path, context, table.metadata) ??
      (table.filesOnly && isFolder(path, context)
        ? doubt('unclear', `${path} is a folder, and links in it would be followed`)
        : null),
  )
  if (found !== null) return found
  const deeper = table.recursive?.some((option) => given.has(option)) ?? false
  return deeper || table.descends ? secretBelow(paths, deeper, context) : null
}
