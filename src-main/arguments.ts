import { parseArgs } from 'node:util'
import { nearest } from './nearest'

/** What the command line accepts, and how it answers what it does not. */

export interface OptionSpec {
  name: string
  /** What stands for the value in the help; absent for a switch. */
  value?: string
  /** The value may be left out, and then is `true`; given, it follows an equals sign. */
  optional?: true
  /** It may be given several times; its values are then joined by line breaks. */
  repeat?: true
  choices?: readonly string[]
  integer?: { min: number; max: number }
  /** A number above 0 that need not be whole. */
  amount?: { max: number }
  help: string
}

export interface CommandSpec {
  name: string
  summary: string
  /** Such as `PROMPT`; absent when the command takes no operands. */
  operand?: string
  details?: string
  options: readonly OptionSpec[]
}

export type Parsed = { help: true } | { help: false; options: Map<string, string>; operands: string[] }

/** Bad usage: said on stderr, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function parseArguments(spec: CommandSpec, words: readonly string[]): Parsed {
  const options = new Map<string, string>()
  const operands: string[] = []
  for (const token of tokensOf(spec, words)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    if (token.name === 'help' && token.value === undefined) return { help: true }
    const option = findOption(spec, token.rawName)
    if (!option.value) {
      if (token.value !== undefined) throw new UsageError(`--${option.name} takes no value`)
      options.set(option.name, 'true')
      continue
    }
    const value = token.value ?? (option.optional ? 'true' : '')
    if (value === '') throw new UsageError(`--${option.name} needs a value: --${option.name} ${option.value}`)
    const before = option.repeat ? options.get(option.name) : undefined
    options.set(option.name, [...(before === undefined ? [] : [before]), checkValue(option, value)].join('\n'))
  }
  if (operands.length > 0 && !spec.operand) throw new UsageError(`${spec.name} takes no operand: ${operands[0]}`)
  return { help: false, options, operands }
}

/** The words in order. What they may be is looked at by whoever reads them, for words that help. */
function tokensOf(spec: CommandSpec, words: readonly string[]) {
  // A value that may be left out never is the next word.
  const typeOf = ({ value, optional }: OptionSpec) => ({ type: value && !optional ? 'string' : 'boolean' }) as const
  const options = Object.fromEntries(spec.options.map((option) => [option.name, typeOf(option)]))
  return parseArgs({
    args: [...words],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

function findOption(spec: CommandSpec, word: string): OptionSpec {
  const found = spec.options.find((option) => `--${option.name}` === word)
  if (found) return found
  const known = [...spec.options.map((option) => `--${option.name}`), '--help']
  const [near] = nearest(word, known, 1)
  throw new UsageError(`unknown option ${word}${near ? `; did you mean ${near}?` : ''}`)
}

function checkValue(option: OptionSpec, value: string): string {
  if (option.choices && !option.choices.includes(value)) {
    const [near] = nearest(value, option.choices, 1)
    const hint = near ? `; did you mean ${near}?` : ''
    throw new UsageError(`--${option.name} is one of ${option.choices.join(', ')}, not "${value}"${hint}`)
  }
  if (option.repeat && value.includes('\n')) throw new UsageError(`--${option.name} takes one line`)
  if (option.integer) {
    const number = decimal(value)
    const { min, max } = option.integer
    if (!Number.isInteger(number) || number < min || number > max)
      throw new UsageError(`--${option.name} is a whole number from ${min} to ${max}, not "${value}"`)
  }
  if (option.amount) {
    const number = decimal(value)
    if (!(number > 0 && number <= option.amount.max))
      throw new UsageError(`--${option.name} is a number above 0 and at most ${option.amount.max}, not "${value}"`)
  }
  return value
}

/** A number as people write one: nothing in hexadecimal, and no powers of ten, which a slip of the finger makes. */
const decimal = (text: string): number => (/^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN)

export function helpFor(spec: CommandSpec): string {
  const help: OptionSpec = { name: 'help', help: 'This text' }
  const rows = [...spec.options, help].map((option) => {
    const value = option.optional ? `[=${option.value}]` : option.value ? ` ${option.value}` : ''
    const left = `  --${option.name}${value}`
    return `${left.padEnd(26)} ${option.help}`
  })
  const usage = `Usage: deckhand ${spec.name} [options]${spec.operand ? ` ${spec.operand}` : ''}`
  return [spec.summary, '', usage, ...(spec.details ? ['', spec.details] : []), '', 'Options:', ...rows, ''].join('\n')
}
