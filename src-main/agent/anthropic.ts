import { anthropicBody } from './anthropic-request'
import { readMessage } from './anthropic-stream'
import { bindingBeta, isAboutThoughts, learnThinking, type SentThinking } from './anthropic-thinking'
import { type Asked, ProviderFailure, type Refusal } from './failure'
import { anthropicHeaders, baseCandidates, type Endpoint, hostOf, send } from './http'
import { type Lesson, type LessonBook, newLessonBook } from './lessons'
import { type Model, type ModelRequest, type NativeAnswer, nativeSource } from './model'
import { streamAnswer } from './stream-answer'
import { forgetThoughts, readable } from './unreadable-thoughts'

const mostRefusals = 12

/** A model behind Anthropic's messages interface. */
export const anthropicModel = (endpoint: Endpoint, book: LessonBook = newLessonBook()): Model => {
  let addresses: string[] | null = null
  const host = hostOf(endpoint.baseUrl)
  const unreadable = new WeakSet<NativeAnswer>()

  const open = async (request: ModelRequest, asked: Asked, source: string) => {
    addresses ??= baseCandidates(endpoint.baseUrl)
    const before = book.of(request.model)
    let saidBefore = ''
    for (let refusals = 0; ; refusals++) {
      const lesson = book.of(request.model)
      const body = anthropicBody(readable(request, unreadable), lesson, source)
      const headers = {
        'content-type': 'application/json',
        ...anthropicHeaders(asked.key),
        ...(lesson.dropBlocks && { 'anthropic-beta': bindingBeta }),
      }
      try {
        const outgoing = { headers, body: JSON.stringify(body), signal: request.signal, network: endpoint.network }
        return await send(`${addresses[0]}/messages`, outgoing, asked)
      } catch (thrown) {
        if (!(thrown instanceof ProviderFailure) || refusals === mostRefusals) throw thrown
        const missing = thrown.detail.status === 404 && thrown.error.kind !== 'model-not-found'
        if (missing && addresses.length > 1) {
          addresses = addresses.slice(1)
          continue
        }
        const { refusal } = thrown.detail
        if (refusal?.status !== 400) throw thrown
        const learnt = learn(refusal, lesson, body)
        if (learnt) book.learn(request.model, learnt)
        else if (!isAboutThoughts(refusal) || !forgetThoughts(request, unreadable)) {
          if (refusal.said === saidBefore) book.restore(request.model, before)
          throw thrown
        }
        saidBefore = refusal.said
      }
    }
  }

  return {
    stream: (request, onActivity) =>
      streamAnswer(endpoint, host, request, async (asked) => {
        const source = nativeSource('messages', host, request.model)
        const incoming = await open(request, asked, source)
        return readMessage(incoming, asked, source, onActivity)
      }),
  }
}

/** What a refusal teaches; null when it is about something else. */
const learn = (refusal: Refusal, lesson: Lesson, body: { max_tokens: number } & SentThinking): Lesson | null => {
  const allowed = Number(/max_tokens: \d+ > (\d+)/.exec(refusal.said)?.[1])
  if (allowed > 0 && allowed < body.max_tokens) return { maxTokens: allowed }
  // Thoughts are bound to the conversation before them, which a summary or another list of tools changes.
  const bound = /block_binding|bound to a different/.test(refusal.said)
  if (bound && !lesson.dropBlocks && body.thinking?.type === 'adaptive') return { dropBlocks: true }
  return isAboutThoughts(refusal) ? null : learnThinking(refusal, lesson, body)
}
