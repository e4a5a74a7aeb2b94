import type { ModelRequest, NativeAnswer } from './model'

/** The request without the thoughts that its server could not read any more. */
export const readable = (request: ModelRequest, unreadable: WeakSet<NativeAnswer>): ModelRequest => ({
  ...request,
  messages: request.messages.map((message) => {
    if (message.role !== 'assistant' || !message.native || !unreadable.has(message.native)) return message
    const { native: _, ...plain } = message
    return plain
  }),
})

/** Marks all thoughts of a request that was refused because of them. False when there are none. */
export const forgetThoughts = ({ messages }: ModelRequest, unreadable: WeakSet<NativeAnswer>): boolean => {
  let found = false
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.native || unreadable.has(message.native)) continue
    unreadable.add(message.native)
    found = true
  }
  return found
}
