/** How a program reads its options: getopt's notation for the short ones, `name`, `name=` and `name[=]` for the long. */
export interface OptionSpec {
  short?: string
  long?: string
  /** `-20` is an option of its own. */
  number?: boolean
  /** An option's value is always the next word, never the rest of this one. */
  apart?: boolean
  /** Everything after the first operand is an operand. */
  strict?: boolean
}

interface ReadOptions {
  /** `apart`: the value is a word of its own. */
  options: { name: string; value: string | null; apart?: true }[]
  operands: string[]
}

type Argument = 'none' | 'required' | 'optional'
const tables = new WeakMap<OptionSpec, Map<string, Argument>>()

/**
 * Reads a command line exactly as the program would; a text says why not. Long options have to be spelled out, since
 * `--compress-prog` would otherwise pass for something harmless.
 */
export function readOptions(words: readonly string[], spec: OptionSpec): ReadOptions | string {
  const table = tableOf(spec)
  const options: ReadOptions['options'] = []
  const operands: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') {
      operands.push(...words.slice(index + 1))
      break
    }
    if (word === '-' || !word.startsWith('-')) {
      operands.push(...(spec.strict ? words.slice(index) : [word]))
      if (spec.strict) break
      continue
    }
    if (spec.number && /^-\d+$/.test(word)) {
      options.push({ name: '-#', value: word.slice(1) })
      continue
    }
    if (word.startsWith('--')) {
      const equals = word.indexOf('=')
      const name = equals < 0 ? word : word.slice(0, equals)
      const argument = table.get(name)
      if (argument === undefined) return `the option ${name} may do more than read`
      if (argument === 'none' && equals >= 0) return `the option ${name} takes no value`
      const value = equals >= 0 ? word.slice(equals + 1) : argument === 'required' ? words[++index] : null
      if (value === undefined) return `the option ${name} lacks its value`
      options.push({ name, value, ...(equals < 0 && value !== null && { apart: true }) })
      continue
    }
    for (let at = 1; at < word.length; at++) {
      const name = `-${word[at]}`
      const argument = table.get(name)
      if (argument === undefined) return `the option ${name} may do more than read`
      if (argument === 'none') {
        options.push({ name, value: null })
        continue
      }
      const rest = word.slice(at + 1)
      if (spec.apart && rest !== '') return `the option ${name} has to stand alone`
      const value = rest !== '' ? rest : argument === 'optional' ? null : words[++index]
      if (value === undefined) return `the option ${name} lacks its value`
      options.push({ name, value, ...(rest === '' && value !== null && { apart: true }) })
      break
    }
  }
  return { options, operands }
}

function tableOf(spec: OptionSpec): Map<string, Argument> {
  const known = tables.get(spec)
  if (known) return known
  const table = new Map<string, Argument>([
    ['--help', 'none'],
    ['--version', 'none'],
  ])
  for (const [, letter, colons] of (spec.short ?? '').matchAll(/([^:\s])(:{0,2})/g)) {
    table.set(`-${letter}`, colons === '' ? 'none' : colons === ':' ? 'required' : 'optional')
  }
  for (const entry of (spec.long ?? '').split(/\s+/)) {
    if (entry === '') continue
    if (entry.endsWith('[=]')) table.set(`--${entry.slice(0, -3)}`, 'optional')
    else if (entry.endsWith('=')) table.set(`--${entry.slice(0, -1)}`, 'required')
    else table.set(`--${entry}`, 'none')
  }
  tables.set(spec, table)
  return table
}
