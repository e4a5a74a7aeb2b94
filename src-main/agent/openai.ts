import type { Incoming, Outgoing } from './exchange'
import { type Asked, isOverflow, ProviderFailure, type Refusal } from './failure'
import { baseCandidates, type Endpoint, hostOf, send } from './http'
import { type Lesson, type LessonBook, longestAllowed, newLessonBook, refusedParameter } from './lessons'
import {
  type Model,
  type ModelEvent,
  type ModelRequest,
  type NativeAnswer,
  nativeSource,
  type OnActivity,
} from './model'
import { chatParameters, longestAnswer, openaiBody } from './openai-request'
import { readChat } from './openai-stream'
import { streamAnswer } from './stream-answer'
import { forgetThoughts, readable } from './unreadable-thoughts'

/** How OpenAI names what thinks: from gpt-5 on, the o series, and codex. These use tools with thought by Responses only. */
const thinks = /^(gpt-([5-9]|\d\d)|o\d|codex)/

/** How DeepSeek, Kimi and those who pass them on refuse an answer of another model, or one that came without thoughts. */
const missesThoughts =
  /missing\W+reasoning_content|reasoning_content\W.*(is missing|must be passed back)|requires\W+reasoning_content/is

const ofOpenAi = /(^|\.)(openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/

/** Each refusal teaches one thing; a server that refuses more than this wants something else altogether. */
const mostRefusals = 12

/**
 * A model behind one of the two interfaces of OpenAI: chat completions, which nearly every other server speaks too, and
 * Responses, without which newer models do not think while they use tools. Which of the two is known by name, or learnt.
 */
export const openaiModel = (endpoint: Endpoint, book: LessonBook = newLessonBook()): Model => {
  let addresses: string[] | null = null
  const host = hostOf(endpoint.baseUrl)
  /** Thoughts that the server could not read any more. */
  const unreadable = new WeakSet<NativeAnswer>()

  const open = async (request: ModelRequest, asked: Asked) => {
    addresses ??= baseCandidates(endpoint.baseUrl)
    const before = book.of(request.model)
    let saidBefore = ''
    for (let refusals = 0; ; refusals++) {
      const lesson = book.of(request.model)
      const api = lesson.api ?? likelyApi(host, request.model)
      const source = nativeSource(api, host, request.model)
      const dialect = api === 'responses' ? await import('./responses') : chat
      const body = dialect.body(readable(request, unreadable), lesson, source)
      try {
        const sent = { ...outgoing(body, asked.key, request.signal), network: endpoint.network }
        const incoming = await send(`${addresses[0]}/${dialect.path}`, sent, asked)
        return { incoming, source, read: dialect.read }
      } catch (thrown) {
        if (!(thrown instanceof ProviderFailure) || refusals === mostRefusals) throw thrown
        const { refusal } = thrown.detail
        // Before the rest: it may come as a 404 that is about an item of the conversation.
        if (refusal && dialect.spoilt(refusal) && forgetThoughts(request, unreadable)) continue
        if (isMissing(thrown, api)) {
          if (api === 'responses') book.learn(request.model, { api: 'chat', noResponses: true })
          else {
            // Neither interface is there: it is the address, or the model, and says nothing about interfaces.
            if (lesson.noResponses) book.learn(request.model, { api: null, noResponses: false })
            if (addresses.length === 1) throw thrown
            addresses = addresses.slice(1)
          }
          continue
        }
        const learnt =
          refusal && (refusal.status === 400 || refusal.status === 404 || refusal.status === 422)
            ? dialect.learn(refusal, lesson, request)
            : null
        if (!refusal || !learnt) {
          // The same words again: they were about something else, such as what was asked.
          if (refusal && refusal.said === saidBefore) book.restore(request.model, before)
          throw thrown
        }
        saidBefore = refusal.said
        book.learn(request.model, learnt)
      }
    }
  }

  return {
    stream: (request, onActivity) =>
      streamAnswer(endpoint, host, request, async (asked) => {
        const { incoming, source, read } = await open(request, asked)
        return read(incoming, asked, source, onActivity)
      }),
  }
}

/** One of the two interfaces: where it is, how a request and its answer are written, and what a refusal teaches. */
export interface Dialect {
  path: string
  body(request: ModelRequest, lesson: Lesson, source: string): object
  read(incoming: Incoming, asked: Asked, source: string, onActivity?: OnActivity): AsyncGenerator<ModelEvent>
  /** Null when the refusal is about something that cannot be left out. */
  learn(refusal: Refusal, lesson: Lesson, request: ModelRequest): Lesson | null
  /** Whether it refuses thoughts of its own that were sent back. */
  spoilt(refusal: Refusal): boolean
}

const chat: Dialect = {
  path: 'chat/completions',
  body: openaiBody,
  read: readChat,
  spoilt: () => false,
  learn(refusal, lesson, request) {
    const { said } = refusal
    // A model of OpenAI's that does not think here while it uses tools.
    if (namesResponses(said)) {
      if (!lesson.noResponses) return { api: 'responses' }
      return lesson.effortNone ? null : { effortNone: true }
    }
    if (refusal.status === 404) return null
    if (missesThoughts.test(said)) {
      const refused = lesson.refused?.filter((name) => name !== 'reasoning_content')
      return lesson.wantsThoughts ? null : { wantsThoughts: true, ...(refused && { refused }) }
    }
    const maxTokens = longestAllowed(said, longestAnswer(request, lesson))
    if (maxTokens) return { maxTokens }
    if (isOverflow(refusal)) return null
    if (said.includes('max_completion_tokens') && !lesson.limit) return { limit: 'max_completion_tokens' }
    const name = refusedParameter(chatParameters, refusal, lesson)
    return name ? { refused: [...(lesson.refused ?? []), name] } : null
  },
}

const outgoing = (body: object, key: string | null, signal: AbortSignal): Outgoing => ({
  headers: {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(key && { authorization: `Bearer ${key}` }),
  },
  body: JSON.stringify(body),
  signal,
})

/** A 404 may also say that this model is to be spoken to by the other interface. */
const isMissing = ({ error, detail }: ProviderFailure, api: 'chat' | 'responses') =>
  error.kind === 'bad-response' &&
  (detail.status === 404 || detail.status === 405 || detail.status === 501) &&
  (api === 'responses' || !namesResponses(detail.refusal?.said ?? ''))

const namesResponses = (said: string): boolean => /\bv1\/responses\b/.test(said)

/**
 * The interface that a model is first spoken to by. Others than OpenAI and Azure take thinking models by chat completions
 * as well; where one does not, its refusal says so.
 */
const likelyApi = (host: string, model: string): 'chat' | 'responses' => {
  const bare = (model.split('/').at(-1) ?? model).toLowerCase()
  const isTheirs = ofOpenAi.test(host.replace(/:\d+$/, ''))
  return isTheirs && thinks.test(bare) && !bare.includes('chat') ? 'responses' : 'chat'
}
