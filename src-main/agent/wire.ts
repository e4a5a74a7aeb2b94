import { createHash } from 'node:crypto'
import type { Content } from '../../src-preload/contract/content'
import { parseObject } from './json'
import type { ModelCall, ModelMessage } from './model'

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Half of an emoji, which a cut text may end in, is no valid text: servers refuse the whole request for it. */
export const cleanText = (text: string): string => text.toWellFormed()

export const joinText = (content: Content[]): string =>
  cleanText(content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n'))

export const hasImage = (content: Content[]): boolean => content.some((part) => part.type === 'image')

/** A name that providers accept: what a model made up must not make the session impossible to send. */
export const wireName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed'

/** Anthropic takes only plain ids; those of another provider are replaced, always by the same. */
export const plainId = (id: string): string =>
  /^[\w-]{1,64}$/.test(id) ? id : `call_${createHash('sha1').update(id).digest('hex').slice(0, 24)}`

/** A call is sent again with every later request of its turn. */
const parsedArguments = new WeakMap<ModelCall, Record<string, unknown>>()

/** Arguments as an object. What did not parse is handed back as it was, so that the model sees its mistake. */
export const wireArguments = (call: ModelCall): Record<string, unknown> => {
  const known = parsedArguments.get(call)
  if (known) return known
  const parsed = parseObject(call.arguments || '{}') ?? { unparsed: cleanText(call.arguments.slice(0, 2000)) }
  parsedArguments.set(call, parsed)
  return parsed
}

/**
 * The conversation with every call followed by exactly one result, in the order of the calls, no result without its call,
 * and something to answer at its end: providers refuse the request otherwise, and a crash or a stop may have left it so.
 */
export const withResultsInOrder = (messages: ModelMessage[]): ModelMessage[] => {
  const ordered: ModelMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    if (message.role === 'user') {
      if (message.content.some((part) => part.type === 'image' || part.text !== '')) ordered.push(message)
      continue
    }
    if (message.text === '' && message.calls.length === 0) continue
    ordered.push(message)
    const results = new Map<string, ToolMessage>()
    for (let at = index + 1, next = messages[at]; next?.role === 'tool'; next = messages[++at])
      results.set(next.callId, next)
    for (const call of message.calls) ordered.push(results.get(call.id) ?? noResult(call))
  }
  if (ordered.at(-1)?.role === 'assistant') ordered.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] })
  return ordered
}

const noResult = (call: ModelCall): ToolMessage => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  content: [{ type: 'text', text: 'There is no result: the call did not run to its end.' }],
  isError: true,
})
