import { setImmediate } from 'node:timers/promises'
import type { WordOrigin } from '../../src-preload/contract/approval'
import type { Content } from '../../src-preload/contract/content'
import type { Message, Part } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { SessionText } from '../approval/origins/find-origins'
import { searchable } from '../approval/origins/in-text'
import { isRecord } from '../is-record'
import { readJson } from '../storage/read-json'
import type { Store } from './store'

/** Where a text was read. */
export interface ReadAt extends Pick<WordOrigin, 'callId' | 'place'> {
  /** The number of the first line, where lines of a file are meant. */
  firstLine?: number
}

interface TimedText extends SessionText<ReadAt> {
  at: number
}

const PAGE = 40
const MAX_CHARS = 4_000_000

/**
 * What was said and read in a session and in those that it works for, oldest first. Of a long session, only the newest
 * part is used. The message of the call itself comes after everything that was read.
 */
export async function sessionTexts(
  store: Store,
  call: Pick<ToolCall, 'sessionId' | 'messageId'>,
  isLate: () => boolean,
): Promise<SessionText<ReadAt>[]> {
  const texts: TimedText[] = []
  let chars = 0
  const [own, ...above] = store.sessions.lineage(call.sessionId)
  for (const sessionId of [own ?? call.sessionId, ...above]) {
    const isTop = sessionId === (above.at(-1) ?? own)
    for (let before: number | undefined; chars < MAX_CHARS && !isLate(); ) {
      const { messages, calls } = store.messages.page(sessionId, before, PAGE)
      const [first] = messages
      if (!first) break
      const page = messages
        .filter(({ id }) => id !== call.messageId)
        .flatMap((message) => saidIn(message, calls, isTop))
      for (const { text } of page) chars += text.length
      texts.push(...page)
      before = first.seq
      // Gives the window and other sessions a chance to run.
      await setImmediate()
    }
  }
  return texts.sort((one, other) => one.at - other.at)
}

/** `byUser`: messages to it are the user's own words; to a sub-agent they are those of the agent that started it. */
function saidIn(message: Message, calls: readonly ToolCall[], byUser: boolean): TimedText[] {
  const at = message.createdAt
  return message.parts.flatMap((part): TimedText[] => {
    if (part.type === 'call') {
      const made = calls.find(({ id }) => id === part.callId)
      return made ? [...argumentsOf(made), ...resultOf(made)] : []
    }
    if (message.role === 'user') return saidByUser(part, at, byUser ? 'user' : 'agent')
    return part.type === 'text' || part.type === 'reasoning' ? [{ at, by: 'agent', text: part.text }] : []
  })
}

function saidByUser(part: Part, at: number, by: 'user' | 'agent'): TimedText[] {
  if (part.type === 'text') return [{ at, by, text: part.text }]
  if (part.type === 'notice')
    return part.notice.kind === 'user-typed' ? [{ at, by: 'user', text: part.notice.text }] : []
  if (part.type !== 'file') return []
  if (part.command) return [{ at, by, text: part.text }]
  const place = { kind: 'attachment', path: part.name } as const
  return [{ at, by: 'read', text: searchable(part.text), place: { place, firstLine: 1 } }]
}

const argumentsOf = (call: ToolCall): TimedText[] => [
  { at: call.createdAt, by: 'agent', text: stringsIn(readJson<unknown, null>(call.arguments, null)).join('\n') },
]

function resultOf(call: ToolCall): TimedText[] {
  const { state } = call
  const at = call.endedAt ?? call.createdAt
  if (state.status === 'denied') return [{ at, by: 'user', text: state.message }]
  if (state.status !== 'done' && state.status !== 'failed') return []
  const { display } = state
  const read = (text: string, place: WordOrigin['place'], firstLine?: number): TimedText => ({
    at,
    by: 'read',
    text: searchable(text),
    place: { callId: call.id, place, firstLine },
  })
  switch (display?.type) {
    case 'answer':
      return [{ at, by: 'user', text: display.answer }]
    // The text that it writes is in its arguments.
    case 'diff':
    case 'todo':
      return []
    case 'matches':
      return display.rows.map(({ path, line, text = '' }) =>
        read(text === '' ? path : text, { kind: 'file', path, line }),
      )
    case 'file': {
      const { path, startLine } = display
      return textsOf(state.content).map((text) => read(withoutNumbers(text), { kind: 'file', path }, startLine))
    }
    case 'process': {
      const { command } = display
      return textsOf(state.content).map((text) => read(text, { kind: 'output', command }))
    }
    default: {
      const { name, gist } = call
      return textsOf(state.content).map((text) => read(text, { kind: 'tool', name, gist }))
    }
  }
}

/** What the model read: the strings in it, where it is JSON. */
const textsOf = (content: readonly Content[]): string[] =>
  content.flatMap((each) => {
    if (each.type !== 'text') return []
    const value = /^\s*[[{]/.test(each.text) ? readJson<unknown, null>(each.text, null) : null
    return value === null ? [each.text] : stringsIn(value)
  })

const MAX_STRINGS = 5_000

export function stringsIn(value: unknown): string[] {
  const found: string[] = []
  const open = [value]
  while (open.length > 0 && found.length < MAX_STRINGS) {
    const next = open.shift()
    if (typeof next === 'string') found.push(next)
    else if (Array.isArray(next)) open.push(...next)
    else if (isRecord(next)) open.push(...Object.values(next))
  }
  return found
}

const withoutNumbers = (text: string): string => text.replaceAll(/^ *\d+\t/gm, '')
