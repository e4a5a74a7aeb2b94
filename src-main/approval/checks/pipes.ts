import { factsOf } from '../programs/registry'
import { type Field, UNKNOWN } from '../shell/field'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'

/** What `$(echo rm)` prints, and a stand-in for what `$(mktemp -d)` does; `null` for anything else. */
export function substitutedText(invocations: readonly Invocation[]): string | null {
  const [only, ...more] = invocations
  if (!only || more.length > 0 || only.redirects.length > 0) return null
  if (only.fields.some((field) => field.unknown || field.pattern)) return null
  const [program, ...words] = only.fields.map((field) => field.text)
  return factsOf(program ?? '')?.output?.substituted?.(words, only) ?? null
}

/** What echo and the like put into a pipe, escapes resolved; `null` for any other source. */
export function printedText(source: Invocation | null): string | null {
  if (!source || source.fields.some((field) => field.unknown || field.pattern)) return null
  const [program, ...words] = source.fields.map((field) => field.text)
  const piped = factsOf(program ?? '')?.output?.piped
  if (!piped) return null
  const block = source.redirects.find(({ operator }) => operator === '<<' || operator === '<<<')?.target
  return piped(words, block && !block.unknown ? block.text : null)
}

/** What xargs would append: told by echo, find and the like, otherwise anything. */
export function pipedWords(source: Invocation | null): Field[] {
  const [program, ...args] = source?.fields ?? []
  const words = factsOf(program?.text ?? '')?.output?.words
  return words ? words(args) : [{ text: UNKNOWN, unknown: true, pattern: null }]
}

const FILTERS: ReadonlySet<string> = new Set('cat head tail sort uniq tr cut sed awk tac'.split(' '))

/** Whether what a pipe names was chosen by its name, or is written out: `find . -name '*.pyc'`, `echo a b`. */
export function choosesFiles(source: Invocation | null): boolean {
  for (let each = source; each !== null; each = each.source) {
    const [program, ...words] = each.fields.map(({ text }) => text)
    const name = baseName(program ?? '')
    if (/^(?:echo|printf)$/.test(name)) return true
    if (/^[ef]?grep$|^rg$/.test(name))
      return !words.some((word) => /^-[a-zA-Z]*v|^--(?:invert-match|files)$/.test(word))
    if (name === 'find' || name === 'fd')
      return words.some(
        (word, index) =>
          word === '-empty' ||
          (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(word) && !/^[*./?]*$/.test(words[index + 1] ?? '')),
      )
    if (name === 'ls') return each.fields.some(({ pattern, text }) => pattern && !/^[*./?]*$/.test(text))
    if (!FILTERS.has(name)) return false
  }
  return false
}

export const isDownload = ({ fields }: Invocation): boolean =>
  fields.some((field) => factsOf(baseName(field.text))?.downloads === true)

/** Whether anything that feeds a pipe comes from the network. */
export function comesFromNetwork(source: Invocation | null): boolean {
  for (let each = source; each !== null; each = each.source) if (isDownload(each)) return true
  return false
}
