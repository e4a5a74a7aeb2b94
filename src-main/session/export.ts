import type { Content } from '../../src-preload/contract/content'
import type { Message, Part } from '../../src-preload/contract/messages'
import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Store } from './store'

/** `beforeSeq`: only what came before that message. */
export const exportSession = (
  store: Store,
  sessionId: string,
  format: 'markdown' | 'json',
  beforeSeq?: number,
): string => (format === 'markdown' ? markdown(store, sessionId, beforeSeq) : json(store, sessionId))

/** A session as a document to read. */
const markdown = (store: Store, sessionId: string, beforeSeq?: number): string => {
  const { session, messages, calls } = wholeSession(store, sessionId, beforeSeq)
  const byId = new Map(calls.map((call) => [call.id, call]))
  const head = [`# ${session.title}`, `${stamp(session.createdAt)} · ${session.model} · ${session.workspace}`]
  return `${[...head, ...messages.map((message) => messageText(message, byId))].filter(Boolean).join('\n\n')}\n`
}

/** A session with everything that is known about it. */
const json = (store: Store, sessionId: string): string =>
  `${JSON.stringify({ format: 'deckhand-session', version: 1, ...wholeSession(store, sessionId) }, null, 2)}\n`

const wholeSession = (
  store: Store,
  sessionId: string,
  beforeSeq?: number,
): { session: Session; messages: Message[]; calls: ToolCall[] } => {
  const session = store.sessions.get(sessionId)
  const { messages, calls } = store.messages.page(sessionId, beforeSeq, Math.max(1, store.messages.count(sessionId)))
  return { session, messages, calls }
}

const speakers = { user: 'You', assistant: 'Deckhand', system: '' } as const

const messageText = (message: Message, calls: Map<string, ToolCall>): string => {
  const body = message.parts.map((part) => partText(part, calls)).filter(Boolean)
  if (body.length === 0) return ''
  const speaker = speakers[message.role]
  return [...(speaker ? [`## ${speaker}`] : []), ...body].join('\n\n')
}

const partText = (part: Part, calls: Map<string, ToolCall>): string => {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `<details><summary>Reasoning</summary>\n\n${part.text}\n\n</details>`
    case 'image':
      return `*Image: ${part.name ?? part.mimeType}*`
    case 'file':
      return `*File: ${part.name}*\n\n${fenced(part.text)}`
    case 'error':
      return `> **Error:** ${part.error.message}`
    case 'notice':
      return part.notice.text.replace(/^/gm, '> ')
    case 'call': {
      const call = calls.get(part.callId)
      return call ? callText(call) : ''
    }
  }
}

const callText = (call: ToolCall): string => {
  const { state } = call
  const title = `**${call.name}** ${call.gist && `${inline(call.gist)} `}· ${state.status}`
  if (state.status === 'done' || state.status === 'failed') return `${title}\n\n${fenced(textOf(state.content))}`
  return 'message' in state ? `${title}: ${state.message}` : title
}

const textOf = (content: Content[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join('\n')

/** A fence longer than any run of backticks inside, so that the text cannot end it. */
const fenced = (text: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

const inline = (text: string): string => {
  const marks = '`'.repeat(longestRun(text) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return marks + pad + text.replace(/\s+/g, ' ') + pad + marks
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

const stamp = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
