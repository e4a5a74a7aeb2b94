import { type Field, UNKNOWN } from '../shell/field'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'

const DOWNLOADERS = /^(?:curl|wget|fetch|aria2c|http|https|xh|nc|ncat|lwp-download|iwr|irm|invoke-webrequest)$/

export const isDownload = ({ fields }: Invocation): boolean =>
  fields.some((field) => DOWNLOADERS.test(baseName(field.text)))

/** Whether anything that feeds a pipe comes from the network. */
export function comesFromNetwork(source: Invocation | null): boolean {
  for (let each = source; each !== null; each = each.source) if (isDownload(each)) return true
  return false
}

/** What echo and printf put into a pipe, escapes resolved; `null` for any other source. */
export function printedText(source: Invocation | null): string | null {
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
export function pipedWords(source: Invocation | null): Field[] {
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
