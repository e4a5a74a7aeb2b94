import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk'
import type { Message, Part } from '../../../src-preload/contract/messages'
import type { Store } from '../store'

/**
 * What a hosted agent has not read yet: everything after `sent`, including messages to the turn that has just ended. If
 * nothing is new, everything since the last answer: the user wants it answered again.
 */
export function unreadMessages(store: Store, sessionId: string, sent: number): Message[] {
  const unread = sent < 0 ? [] : store.messages.since(sessionId, sent + 1).filter(({ role }) => role !== 'assistant')
  if (unread.length > 0) return unread
  const answered = store.messages.lastOfRole(sessionId, 'assistant')?.seq ?? -1
  return store.messages.since(sessionId, answered + 1)
}

/** Messages as an agent reads them. */
export function promptBlocks(messages: readonly Message[], takes: PromptCapabilities): ContentBlock[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => blockOf(part, takes)))
}

const words = (text: string): ContentBlock[] => (text === '' ? [] : [{ type: 'text', text }])

function blockOf(part: Part, { image, embeddedContext }: PromptCapabilities): ContentBlock[] {
  switch (part.type) {
    case 'text':
      return words(part.text)
    case 'image':
      return image
        ? [{ type: 'image', data: part.data, mimeType: part.mimeType }]
        : words(`[The user attached an image${part.name ? ` (${part.name})` : ''}, which this agent cannot read.]`)
    case 'file': {
      // A slash command of the agent itself is sent as it was typed.
      if (part.command) return words(part.text)
      const uri = `attachment:///${encodeURIComponent(part.name)}`
      return embeddedContext
        ? [{ type: 'resource', resource: { uri, text: part.text, mimeType: 'text/plain' } }]
        : words(`<file name=${JSON.stringify(part.name)}>\n${part.text}\n</file>`)
    }
    case 'notice':
      if (part.notice.kind === 'compaction' || part.notice.kind === 'limit') return []
      return words(`[Deckhand] ${part.notice.text}`)
    case 'call':
    case 'reasoning':
    case 'error':
      return []
  }
}
