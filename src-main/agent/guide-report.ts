import type { Content } from '../../src-preload/contract/content'
import { field, listOf, parseObject, textOf } from './json'
import type { ModelCall } from './model'

export interface Reported {
  call: ModelCall
  content: Content[]
  isError: boolean
}

const shownLines = 12

/** A result in words: the gist, and a few lines of it. */
export const reportOn = ({ call, content, isError }: Reported): string => {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const args = parseObject(call.arguments) ?? {}
  const result = parseObject(texts[0] ?? '') ?? {}
  if (isError) return failure(call.name, args, textOf(result.error) || textOf(result.message) || texts.join('\n'))
  const edited = texts.slice(1).find((text) => text.startsWith('The user edited'))
  const note = edited ? `You edited the command, so this is about what ran instead.\n\n` : ''
  return note + success(call.name, args, result, texts, content)
}

const success = (
  name: string,
  args: Record<string, unknown>,
  result: Record<string, unknown>,
  texts: string[],
  content: Content[],
): string => {
  switch (name) {
    case 'Bash':
      return command(textOf(args.command), result)
    case 'Read':
      return content.some((part) => part.type === 'image') ? `${texts[0]}.` : file(textOf(args.path), result)
    case 'Grep': {
      const rows = listOf(result.matches).map(
        (row) => `${textOf(field(row, 'path'))}:${field(row, 'line')}: ${textOf(field(row, 'content')).trim()}`,
      )
      const count = result.truncated
        ? `More than ${rows.length} lines match`
        : rows.length === 1
          ? 'One line matches'
          : `${rows.length} lines match`
      return rows.length === 0
        ? `Nothing matches ${quote(args.pattern)}.`
        : `${count} ${quote(args.pattern)}:\n\n${excerpt(rows, 'first')}`
    }
    case 'Glob': {
      const rows = listOf(result.matches).map(textOf)
      return rows.length === 0
        ? `No file matches ${quote(args.pattern)}.`
        : `${plural(rows.length, 'file')}, the newest first:\n\n${excerpt(rows, 'first')}`
    }
    case 'List': {
      const rows = listOf(result.entries).map(
        (entry) => textOf(field(entry, 'name')) + (field(entry, 'type') === 'directory' ? '/' : ''),
      )
      return rows.length === 0
        ? 'The folder is empty.'
        : `${plural(rows.length, 'entry', 'entries')} in ${quote(result.path)}:\n\n${excerpt(rows, 'first')}`
    }
    case 'Process':
      return process(args, result)
    case 'Time':
      return `It is ${textOf(result.local) || textOf(result.time) || textOf(result.iso) || texts.join(' ')}.`
    case 'Write':
      return `Wrote ${quote(args.path)} (${plural(Number(result.bytes ?? 0), 'byte')}).`
    case 'Edit':
      return `Changed ${quote(args.path)} in ${plural(Number(result.replacements ?? 1), 'place')}.`
    case 'Delete':
      return `Deleted ${quote(args.path)}.`
    default:
      return `${name} is done.\n\n${excerpt(texts.join('\n').split('\n'), 'first')}`
  }
}

const exitCodes: Record<number, string> = {
  126: 'the file is there but may not be run',
  127: 'there is no such command',
  130: 'it was interrupted',
  137: 'it was killed',
  143: 'it was asked to end',
}

const command = (text: string, result: Record<string, unknown>): string => {
  if (result.status === 'running')
    return `${quote(text)} is running in the background; its terminal is on the right, and you can type into it. I will say when it ends. To end it, say: stop it`
  const lines = printed(textOf(result.output) || textOf(result.tail))
  const output =
    lines.length === 0
      ? 'It printed nothing.'
      : `${lines.length > shownLines ? 'It ended with' : 'It printed'}:\n\n${excerpt(lines, 'last')}`
  if (result.timedOut) return `${quote(text)} took too long and was ended. ${output}`
  if (typeof result.signal === 'string') return `${quote(text)} was ended by ${result.signal}. ${output}`
  const code = Number(result.exitCode)
  if (code === 0) return `${quote(text)} ended well (exit code 0). ${output}`
  const why = Object.hasOwn(exitCodes, code) ? `: ${exitCodes[code]}` : ''
  return `${quote(text)} failed with exit code ${code}${why}. ${output}`
}

const file = (path: string, result: Record<string, unknown>): string => {
  const lines = textOf(result.content)
    .split('\n')
    .map((line) => line.replace(/^\d+\t/, ''))
  const count = Number(result.lines ?? lines.length)
  if (count === 0) return `${quote(path)} has nothing there.`
  const more = result.truncated ? ' and more' : ''
  return `${quote(path)} has ${plural(count, 'line')}${more}. ${count > shownLines ? 'It begins' : 'It reads'}:\n\n${excerpt(lines, 'first')}`
}

const process = (args: Record<string, unknown>, result: Record<string, unknown>): string => {
  switch (args.action) {
    case 'list': {
      const rows = listOf(result.sessions).map((row) => {
        const ended = field(row, 'status') === 'running' ? '' : `, exit code ${field(row, 'exitCode')}`
        return `${textOf(field(row, 'command'))} (${textOf(field(row, 'status'))}${ended})`
      })
      return rows.length === 0 ? 'Nothing runs in the background.' : `In the background:\n\n${excerpt(rows, 'first')}`
    }
    case 'kill':
      return 'Stopped. Its terminal stays readable on the right.'
    case 'submit':
      return 'Sent. See its terminal on the right for what it makes of it.'
    default: {
      const lines = printed(textOf(result.log) || textOf(result.tail))
      return lines.length === 0 ? 'It has printed nothing so far.' : `Its latest output:\n\n${excerpt(lines, 'last')}`
    }
  }
}

const failure = (name: string, args: Record<string, unknown>, message: string): string => {
  const said = message.replace(/\s+/g, ' ').trim()
  if (/^The user denied/.test(said)) {
    const note = /says: (.+)$/.exec(said)?.[1]
    return `You denied it, so nothing was done.${note ? ` Your note was: “${note}” A real model would act on it; I only follow rules.` : ' A note with a denial tells a real model what to do instead.'}`
  }
  if (/not permitted/i.test(said)) return `That was not permitted, so nothing was done: ${said}`
  const what = textOf(args.path) || textOf(args.command) || name
  return `That did not work (${quote(what)}): ${said || 'no reason was given'}`
}

/** Lines of a terminal's output as they would be read: no colours, no cursor moves, of an overwritten line the last state. */
const printed = (output: string): string[] =>
  output
    .replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]/g, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .filter((line, index, all) => line !== '' || all.length > 1 || index > 0)

const excerpt = (rows: string[], which: 'first' | 'last'): string => {
  const shown = which === 'first' ? rows.slice(0, shownLines) : rows.slice(-shownLines)
  const lines = shown.map((row) => (row.length > 200 ? `${row.slice(0, 200)}…` : row))
  const more = rows.length - shown.length
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)))
  return `${fence}\n${lines.join('\n')}\n${fence}${more > 0 ? `\n\n${plural(more, 'line')} more ${which === 'first' ? 'follow' : 'came before'}.` : ''}`
}

const quote = (value: unknown): string => {
  const text = String(value ?? '').replace(/\s+/g, ' ')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
