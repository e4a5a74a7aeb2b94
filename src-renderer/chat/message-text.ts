import type { Message } from '../../src-preload/contract/messages'

/** What "copy" copies: the text of a message. */
export const messageText = (message: Message) =>
  message.parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim()

/** False for a message without text of its own, such as a turn that only called tools. */
export const hasText = (message: Message) =>
  message.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
