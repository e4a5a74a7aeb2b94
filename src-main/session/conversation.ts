import type { Content } from '../../src-preload/contract/content'
import type { Message, Notice, Part } from '../../src-preload/contract/messages'
import type { ModelMessage } from '../agent/model'
import { withCalls } from './message-rows'
import type { Store } from './store'

/**
 * The session as the model should see it, for the length of a turn: from the compaction in force, or from the start. What
 * has been read is not read again, since while a turn runs nothing before its open answer changes but the compaction,
 * and only this process writes to the session.
 */
export const createConversation = (store: Store, sessionId: string) => {
  let compaction: ReturnType<Store['messages']['compaction']> = null
  let settled: Message[] = []
  let latest: { at: number; messages: Message[] } | null = null
  const spoken = new WeakMap<Message, ModelMessage[]>()

  /** Everything that has been said to its end. Between two requests of a turn: all calls have ended as well. */
  const read = (): { messages: Message[]; compaction: typeof compaction } => {
    const at = store.messages.changes()
    if (latest?.at === at) return { messages: latest.messages, compaction }
    const inForce = store.messages.compaction(sessionId)
    if (inForce?.message.id !== compaction?.message.id) settled = []
    compaction = inForce
    const last = settled.at(-1)
    const fresh = store.messages.since(sessionId, last ? last.seq + 1 : (compaction?.hidesBefore ?? 0))
    const unsettled = fresh.findIndex((message, index) => mayGrow(message, index === fresh.length - 1))
    const end = unsettled === -1 ? fresh.length : unsettled
    settled = [...settled, ...fresh.slice(0, end)]
    latest = { at, messages: [...settled, ...fresh.slice(end).filter((message) => !message.streaming)] }
    return { messages: latest.messages, compaction }
  }

  const toModel = (messages: Message[]): ModelMessage[] => {
    const unknown = messages.filter((message) => !spoken.has(message))
    for (const [index, words] of toModelMessages(store, unknown).entries()) spoken.set(unknown[index] as Message, words)
    return messages.flatMap((message) => spoken.get(message) ?? [])
  }

  return {
    read,
    toModel,
    /** What a request carries. */
    forModel: (): ModelMessage[] => {
      const { messages } = read()
      const summary = compaction && summaryOf(compaction.message)
      const past: ModelMessage[] = summary ? [{ role: 'user', content: [{ type: 'text', text: summary }] }] : []
      return [...past, ...toModel(messages)]
    },
  }
}

export type Conversation = ReturnType<typeof createConversation>

/** An open answer takes its words later, and a note at the end may get longer while the user types. */
const mayGrow = (message: Message, last: boolean): boolean => message.streaming || (last && message.role === 'system')

/** Each message as the model reads it: an answer with its calls and their results, and nothing where nothing was said. */
const toModelMessages = (store: Store, messages: Message[]): ModelMessage[][] => {
  if (messages.length === 0) return []
  const { calls, results } = store.calls.withResults(withCalls(messages))
  const answers = messages.filter((message) => message.role === 'assistant').map(({ id }) => id)
  const natives = answers.length > 0 ? store.messages.natives(answers) : null
  return messages.map((message): ModelMessage[] => {
    if (message.role !== 'assistant') {
      const content = message.parts.flatMap(contentOf)
      return content.length > 0 ? [{ role: 'user', content }] : []
    }
    const made = calls.filter((call) => call.messageId === message.id)
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (text === '' && made.length === 0) return []
    const native = natives?.get(message.id)
    return [
      {
        role: 'assistant',
        text,
        calls: made.map((call) => ({ id: call.providerId, name: call.name, arguments: call.arguments })),
        native,
      },
      ...made.map((call): ModelMessage => {
        const result = results.get(call.id) ?? { content: [], isError: true }
        return { role: 'tool', callId: call.providerId, name: call.name, ...result }
      }),
    ]
  })
}

const contentOf = (part: Part): Content[] => {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return [{ type: 'image', data: part.data, mimeType: part.mimeType }]
    case 'file':
      if (part.command) return [{ type: 'text', text: part.text }]
      return [{ type: 'text', text: `<file name=${JSON.stringify(part.name)}>\n${part.text}\n</file>` }]
    case 'notice':
      return noticeFor(part.notice)
    // Calls in messages that are not the assistant's are questions from the app, which the model does not see.
    case 'call':
    case 'reasoning':
    case 'error':
      return []
  }
}

const noticeFor = (notice: Notice): Content[] => {
  // These are for the user. The model has the summary instead of the hidden messages, and does not need to know about pauses.
  if (notice.kind === 'compaction' || notice.kind === 'limit' || notice.kind === 'spending') return []
  const own = notice.kind === 'process-exit' ? notice.forModel : undefined
  return [{ type: 'text', text: own ?? `[Deckhand] ${notice.text}` }]
}

/** What a compaction says in place of what it hides. */
export const summaryOf = (message: Message): string => {
  const notice = message.parts.find((part) => part.type === 'notice')?.notice
  return notice?.kind === 'compaction' ? notice.summary : ''
}
