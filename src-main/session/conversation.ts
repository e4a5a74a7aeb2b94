import type { Content, Message, Notice, Part } from '../../src-preload/contract/protocol'
import type { ModelMessage } from '../agent/model'
import { callsOf } from './message-rows'
import type { Store } from './store'

/** The session as the model should see it: from the compaction in force, or from the start. */
export const conversationOf = (store: Store, sessionId: string): ModelMessage[] => {
  const compaction = store.messages.compaction(sessionId)
  const messages = store.messages.since(sessionId, compaction?.hidesBefore ?? 0)
  const summary = compaction && summaryOf(compaction.message)
  const past: ModelMessage[] = summary ? [{ role: 'user', content: [{ type: 'text', text: summary }] }] : []
  return [...past, ...toModelMessages(store, messages)]
}

export const toModelMessages = (store: Store, messages: Message[]): ModelMessage[] => {
  const spoken = messages.filter((message) => !message.streaming)
  const calls = callsOf(store.calls, spoken)
  const results = store.calls.results(calls)
  return spoken.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant') {
      const content = message.parts.flatMap(contentOf)
      return content.length > 0 ? [{ role: 'user', content }] : []
    }
    const made = calls.filter((call) => call.messageId === message.id)
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (text === '' && made.length === 0) return []
    return [
      {
        role: 'assistant',
        text,
        calls: made.map((call) => ({ id: call.providerId, name: call.name, arguments: call.arguments })),
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
      return [{ type: 'text', text: `<file name=${JSON.stringify(part.name)}>\n${part.text}\n</file>` }]
    case 'notice':
      return noticeFor(part.notice)
    // A call in a message that is not the assistant's is the app's own question, and no business of the model's.
    case 'call':
    case 'reasoning':
    case 'error':
      return []
  }
}

const noticeFor = (notice: Notice): Content[] =>
  notice.kind === 'compaction' ? [] : [{ type: 'text', text: `[Deckhand] ${notice.text}` }]

/** What a compaction says in place of what it hides. */
export const summaryOf = (message: Message): string => {
  const notice = message.parts.find((part) => part.type === 'notice')?.notice
  return notice?.kind === 'compaction' ? notice.summary : ''
}
