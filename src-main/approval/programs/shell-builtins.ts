import type { Field } from '../shell/field'
import { type Doubt, doubt, first, type ProgramFacts } from './facts'

/** It may show what is not known yet, such as $?. */
export const ECHO: ProgramFacts = {
  builtin: true,
  showsWords: true,
  opens: 'none',
  output: {
    substituted: (words) => words.slice(words[0] === '-n' ? 1 : 0).join(' '),
    piped: (words) => resolveEscapes(words.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' ')),
    words: (args) => args.flatMap((field) => split(field, /\s+/)),
  },
}

export const PRINTF: ProgramFacts = {
  builtin: true,
  reads: printfReading,
  opens: 'none',
  output: {
    substituted: ([format, ...more]) =>
      format !== undefined && more.length === 0 && !/[%\\]/.test(format) ? format : null,
    piped: ([format = '', ...values]) => resolveEscapes(format.includes('%') ? values.join(' ') : format),
    words: (args) => args.flatMap((field) => split(field, /\s+|\\[nt0]+/).filter(({ text }) => text !== '')),
  },
}

const split = (field: Field, at: RegExp): Field[] => field.text.split(at).map((text) => ({ ...field, text }))

const resolveEscapes = (text: string): string =>
  text
    .replace(/\\x([\da-f]{1,2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\0?([0-7]{1,3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')

/** `%n` sets a variable, perhaps PATH; where a number should stand, some shells calculate. */
function printfReading(words: readonly string[]): Doubt | null {
  const [format, ...values] = words[0] === '--' ? words.slice(1) : words
  if (format === undefined || format.startsWith('-'))
    return doubt('program', 'printf with an option may set a variable')
  const rest = format.replace(/%%|%[-+ #0']*\d*(?:\.\d*)?[sbqcdiuxXofeEgG]/g, (found) =>
    /[sbqc%]$/.test(found) ? '' : '\0',
  )
  if (rest.includes('%')) return doubt('program', 'printf has an unusual format')
  return rest.includes('\0') && values.some((value) => !/^[\w .,:+-]*$/.test(value))
    ? doubt('program', 'printf may calculate')
    : null
}

const TEST_WORDS = new Set(
  '-e -f -d -r -w -x -s -L -h -z -n -b -c -p -S -k -u -g -O -G -N -t -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o'.split(
    ' ',
  ),
)
const ARITHMETIC = new Set('-eq -ne -lt -le -gt -ge -t'.split(' '))

export function testReading(words: readonly string[]): Doubt | null {
  if (words.some((word) => word.startsWith('-') && !TEST_WORDS.has(word) && !/^-\d+$/.test(word)))
    return doubt('program', 'test has an option that may run something')
  return first(words.entries(), ([index, word]) => {
    if (!ARITHMETIC.has(word)) return null
    // Some shells calculate both sides, subscripts and all.
    const sides = [words[index - 1], words[index + 1]]
    return sides.some((side) => side !== undefined && !/^(?:[+-]?\d*|!|\(|-a|-o|\])$/.test(side))
      ? doubt('program', 'test may calculate')
      : null
  })
}
