import { type Asked, describeThrown } from './failure'
import { checkedKey, type Endpoint } from './http'
import type { ModelEvent, ModelRequest } from './model'

/** Streams what `open` gets from a provider. A failure is the last event and says what went wrong; an abort is silent. */
export async function* streamAnswer(
  endpoint: Endpoint,
  host: string,
  request: ModelRequest,
  open: (asked: Asked) => Promise<AsyncIterable<ModelEvent>>,
): AsyncGenerator<ModelEvent> {
  const asked: Asked = { host, model: request.model, key: null }
  let begun = false
  try {
    asked.key = await checkedKey(endpoint)
    const answer = await open(asked)
    begun = true
    yield* answer
  } catch (thrown) {
    if (request.signal.aborted) return
    const { error, detail } = describeThrown(thrown, asked, begun)
    yield { type: 'error', error, retryAfterMs: detail.retryAfterMs }
  }
}
