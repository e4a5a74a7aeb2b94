import type { Message } from '../../src-preload/contract/messages'

/** What "copy" copies: the words of a message, without what surrounds them. */
export const messageText = (message: Message) =>
  message.parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim()

/** A message that says nothing by itself, such as a turn that only called tools, has no words to copy. */
export const hasText = (message: Message) =>
  message.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
