import { setTimeout as sleep } from 'node:timers/promises'
import type { Content } from '../../src-preload/contract/content'
import { type Intent, readIntent } from './guide-intent'
import { type Reported, reportOn } from './guide-report'
import { missingTool, nothingRuns, topicWords, unknownWords, whichCommand } from './guide-words'
import { field, parseObject, textOf } from './json'
import type { Model, ModelCall, ModelEvent, ModelMessage, ModelRequest } from './model'

/** How the app's own lines begin in what a model reads. */
const appLine = '[Deckhand] '
const exitLine = `${appLine}Background process `
const pauseMs = 4

interface Reply {
  text: string
  calls: { name: string; args: Record<string, unknown> }[]
}

/**
 * The built-in guide: a model made of rules, for a first look without any provider. It goes through the same loop, tools and
 * approvals as a real one, and the same conversation always gets the same answer.
 */
export const createGuide = (): Model => ({
  free: true,
  async *stream(request): AsyncGenerator<ModelEvent> {
    const reply = answer(request)
    for (const chunk of reply.text.match(/\S+\s*|\s+/g) ?? []) {
      if (request.signal.aborted) return
      yield { type: 'text', text: chunk }
      await sleep(pauseMs)
    }
    if (request.signal.aborted) return
    for (const [index, { name, args }] of reply.calls.entries()) {
      const id = `guide_${request.messages.length}_${index}`
      yield { type: 'call', call: { id, name, arguments: JSON.stringify(args) } }
    }
    yield { type: 'end', reason: 'stop' }
  },
})

const say = (text: string): Reply => ({ text, calls: [] })

const answer = ({ messages, tools }: ModelRequest): Reply => {
  const asked = latestRequest(messages)
  if (asked !== null) return act(readIntent(asked), messages, new Set(tools.map((tool) => tool.name)))
  const words = [...latestResults(messages).map(reportOn), ...latestExits(messages).map(fromApp)]
  return say(words.length > 0 ? words.join('\n\n') : unknownWords)
}

const act = (intent: Intent, messages: ModelMessage[], known: Set<string>): Reply => {
  switch (intent.kind) {
    case 'topic':
      return say(topicWords[intent.topic])
    case 'which-command':
      return say(whichCommand)
    case 'unknown':
      return say(unknownWords)
    case 'process': {
      const sessionId = newestProcess(messages)
      if (!sessionId) return say(nothingRuns)
      const data = intent.data === undefined ? {} : { data: intent.data }
      return calling([{ name: 'Process', args: { action: intent.action, sessionId, ...data } }], known)
    }
    case 'call':
      return calling(intent.calls, known)
  }
}

const calling = (calls: Reply['calls'], known: Set<string>): Reply => {
  const missing = calls.find((call) => !known.has(call.name))
  if (missing) return say(missingTool(missing.name))
  return { text: announce(calls), calls }
}

const announce = (calls: Reply['calls']): string => {
  const [first] = calls
  if (first?.name !== 'Bash') return ''
  return first.args.background
    ? 'Starting it in the background.'
    : calls.length > 1
      ? 'Running them one after the other.'
      : ''
}

/** What the user has said since the last answer, or null: lines of the app's own do not count. */
const latestRequest = (messages: ModelMessage[]): string | null => {
  for (let index = messages.length - 1; messages[index]?.role === 'user'; index--) {
    const message = messages[index]
    if (message?.role !== 'user') break
    const words = message.content.filter((part) => part.type === 'text' && !part.text.startsWith(appLine))
    if (words.length > 0) return textIn(words)
  }
  return null
}

/** What was called for last and has not been reported yet; lines of the app's own may have come since. */
const latestResults = (messages: ModelMessage[]): Reported[] => {
  const start = messages.findLastIndex((message) => message.role === 'assistant')
  const made = messages[start]
  if (made?.role !== 'assistant') return []
  return messages.slice(start + 1).flatMap((message): Reported[] => {
    const call = message.role === 'tool' && made.calls.find((each) => each.id === message.callId)
    return call && message.role === 'tool' ? [{ call, content: message.content, isError: message.isError }] : []
  })
}

/** The app's lines about processes that have ended since the last answer; what the user typed is no news to the user. */
const latestExits = (messages: ModelMessage[]): string[] =>
  messages
    .slice(messages.findLastIndex((message) => message.role !== 'user') + 1)
    .flatMap((message) => (message.role === 'user' ? [textIn(message.content)] : []))
    .filter((text) => text.startsWith(exitLine))

/** The newest background process that was started here and has not been ended since. */
const newestProcess = (messages: ModelMessage[]): string | null => {
  const running: string[] = []
  const calls = new Map<string, ModelCall>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call)
    if (message.role !== 'tool' || message.isError) continue
    const call = calls.get(message.callId)
    const result = parseObject(textIn(message.content.slice(0, 1)))
    const id = textOf(field(result, 'sessionId'))
    if (call?.name === 'Bash' && field(result, 'status') === 'running') running.push(id)
    const args = parseObject(call?.arguments ?? '')
    if (call?.name === 'Process' && args?.action === 'kill' && running.includes(id))
      running.splice(running.indexOf(id), 1)
  }
  const exits = messages.flatMap((message) => (message.role === 'user' ? [textIn(message.content)] : []))
  return running.findLast((id) => !exits.some((text) => text.startsWith(`${exitLine}${id}`))) ?? null
}

/** Told to the user, who knows the process by its command and not by its id. */
const fromApp = (text: string): string => {
  const [line = '', ...rest] = text.split('\n')
  const first = line.replace(exitLine, '').replace(/^\S+ \((.*)\)/, 'The background process `$1`')
  const tail = rest.filter((line) => line !== '' && line !== 'Its last output:').slice(-6)
  return tail.length > 0 ? `${first}\n\n\`\`\`\n${tail.join('\n')}\n\`\`\`` : first
}

const textIn = (content: Content[]): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
