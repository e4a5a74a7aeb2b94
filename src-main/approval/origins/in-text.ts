import type { CallWord } from './call-words'

/** Where a word stands in a text. */
export interface Occurrence {
  /** The line, from 0. */
  row: number
  line: string
}

const UNSEEN = /\u001b\[[\d;?]*[A-Za-z]|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g

/** Text as words are looked for in it: without colors and what cannot be seen. */
export const searchable = (text: string): string => text.replaceAll(UNSEEN, '').replaceAll('\r\n', '\n')

const MAX_TRIED = 50

/** Every place where a form of a word stands by itself, up to a limit. */
export function* occurrences(text: string, form: string, word: CallWord, workspace: string): Generator<Occurrence> {
  const caseless = word.kind === 'address'
  const within = caseless ? text.toLowerCase() : text
  const wanted = caseless ? form.toLowerCase() : form
  for (let at = within.indexOf(wanted), tried = 0; at >= 0 && tried < MAX_TRIED; tried += 1) {
    const end = at + wanted.length
    if (begins(within, at, word, workspace) && ends(within, end, word)) yield lineAt(text, at)
    at = within.indexOf(wanted, end)
  }
}

function begins(text: string, at: number, { kind }: CallWord, workspace: string): boolean {
  const before = text.slice(Math.max(0, at - workspace.length - 2), at)
  const last = before.at(-1) ?? ' '
  if (kind === 'address') return !/[\w.-]/.test(last)
  if (kind === 'path' && last === '/') return before.endsWith(`${workspace}/`) || /(?:^|[^\w./-])\.\/$/.test(before)
  return !/[\w@./~-]/.test(last) || (/\W\.$/.test(before) && last === '.')
}

function ends(text: string, end: number, { kind }: CallWord): boolean {
  const next = text.slice(end, end + 2)
  if (kind === 'address') return !/^[\w-]|^\.\w/.test(next)
  if (kind === 'path') return !/^[\w-]|^\.\w|^\/\w/.test(next)
  return !/^[\w-]|^[./]\w/.test(next)
}

const MAX_LINE = 2_000

function lineAt(text: string, at: number): Occurrence {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const stop = text.indexOf('\n', at)
  const from = Math.max(start, at - MAX_LINE)
  const line = text.slice(from, Math.min(stop < 0 ? text.length : stop, at + MAX_LINE))
  let row = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) row += 1
  return { row, line }
}
