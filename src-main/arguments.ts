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
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') {
      operands.push(...words.slice(index + 1))
      break
    }
    if (word === '--help' || word === '-h') return { help: true }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const [name, inline] = splitAtEquals(word)
    const option = findOption(spec, name)
    if (!option.value) {
      if (inline !== undefined) throw new UsageError(`--${option.name} takes no value`)
      options.set(option.name, 'true')
      continue
    }
    const value = inline ?? (option.optional ? 'true' : words[++index])
    if (!value) throw new UsageError(`--${option.name} needs a value: --${option.name} ${option.value}`)
    const before = option.repeat ? options.get(option.name) : undefined
    options.set(option.name, [...(before === undefined ? [] : [before]), checkValue(option, value)].join('\n'))
  }
  if (operands.length > 0 && !spec.operand) throw new UsageError(`${spec.name} takes no operand: ${operands[0]}`)
  return { help: false, options, operands }
}

const splitAtEquals = (word: string): [string, string | undefined] => {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
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
    const number = Number(value)
    const { min, max } = option.integer
    if (!Number.isInteger(number) || number < min || number > max)
      throw new UsageError(`--${option.name} is a whole number from ${min} to ${max}, not "${value}"`)
  }
  return value
}

export function helpFor(spec: CommandSpec): string {
  const rows = [...spec.options, { name: 'help', help: 'This text' } as OptionSpec].map((option) => {
    const value = option.optional ? `[=${option.value}]` : option.value ? ` ${option.value}` : ''
    const left = `  --${option.name}${value}`
    return `${left.padEnd(26)} ${option.help}`
  })
  const usage = `Usage: deckhand ${spec.name} [options]${spec.operand ? ` ${spec.operand}` : ''}`
  return [spec.summary, '', usage, ...(spec.details ? ['', spec.details] : []), '', 'Options:', ...rows, ''].join('\n')
}
