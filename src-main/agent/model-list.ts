import type { TurnError } from '../../src-preload/contract/messages'
import type { Effort, ModelPrice, ProviderKind } from '../../src-preload/contract/models'
import type { Network } from '../network/network'
import { type Asked, describeThrown, notAnAnswer, ProviderFailure } from './failure'
import { anthropicHeaders, baseCandidates, checkedKey, type Endpoint, hostOf, readText, send } from './http'
import { field, listOf, numberOf, parseObject, textOf } from './json'

/** A model as its server lists it, with no more than the server itself says. */
export interface ListedModel {
  name: string
  contextWindow?: number
  price?: ModelPrice
  efforts?: Effort[]
}

const maxPages = 20

/** The models that a provider offers, by name. Throws a `ProviderFailure` in words for the user. */
export const listModels = async (
  kind: ProviderKind,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> => {
  const asked: Asked = { host: hostOf(endpoint.baseUrl), model: 'any model', key: null }
  try {
    asked.key = await checkedKey(endpoint)
    const [first, second] = baseCandidates(endpoint.baseUrl)
    try {
      return await readPages(`${first}/models`, kind, asked, endpoint.network, signal)
    } catch (thrown) {
      const missing = thrown instanceof ProviderFailure && thrown.detail.status === 404
      if (!second || !missing) throw thrown
      return await readPages(`${second}/models`, kind, asked, endpoint.network, signal)
    }
  } catch (thrown) {
    signal.throwIfAborted()
    throw describeThrown(thrown, asked, false)
  }
}

const readPages = async (
  url: string,
  kind: ProviderKind,
  asked: Asked,
  network: Network | undefined,
  signal: AbortSignal,
): Promise<ListedModel[]> => {
  const headers: Record<string, string> =
    kind === 'anthropic' ? anthropicHeaders(asked.key) : asked.key ? { authorization: `Bearer ${asked.key}` } : {}
  const models = new Map<string, ListedModel>()
  let after = ''
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams(kind === 'anthropic' ? { limit: '1000' } : {})
    if (after) query.set(kind === 'anthropic' ? 'after_id' : 'after', after)
    const incoming = await send(query.size > 0 ? `${url}?${query}` : url, { headers, signal, network }, asked)
    let text = ''
    for await (const piece of readText(incoming)) text += piece
    const body = parseObject(text)
    const rows = listOf(field(body, 'data') ?? field(body, 'models'))
    if (!body || (rows.length === 0 && !('data' in body) && !('models' in body))) throw notAnAnswer(text, asked)
    for (const row of rows) {
      const name = textOf(field(row, 'id')) || textOf(field(row, 'name')) || textOf(row)
      if (name && canChat(name)) models.set(name, describe(name, row))
    }
    const last = textOf(field(body, 'last_id')) || textOf(field(rows.at(-1), 'id'))
    if (field(body, 'has_more') !== true || last === '' || last === after) break
    after = last
  }
  return [...models.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Lists also contain models for images, speech and search, which cannot chat. */
const canChat = (name: string) =>
  !/(^|[/-])(text-embedding|embed|embedding|whisper|tts|dall-e|gpt-image|omni-moderation|text-moderation|rerank|sora|babbage|davinci)/i.test(
    name,
  )

/** What the server says about a model. Where it says nothing, others may know. */
const describe = (name: string, row: unknown): ListedModel => {
  const contextWindow = statedWindow(row)
  const price = statedPrice(field(row, 'pricing'))
  const thinks = listOf(field(row, 'supported_parameters')).includes('reasoning')
  return {
    name,
    ...(contextWindow > 0 && { contextWindow }),
    price: price ?? undefined,
    ...(thinks && { efforts: ['low', 'medium', 'high'] }),
  }
}

/** Under the many names that servers have for it, what is in force before what would be possible. */
const windowNames = [
  'max_input_tokens',
  'loaded_context_length',
  'context_length',
  'max_model_len',
  'context_window',
  'max_context_length',
] as const

const statedWindow = (row: unknown): number => {
  const meta = field(row, 'meta')
  const said = [
    ...windowNames.map((name) => numberOf(field(row, name))),
    numberOf(field(meta, 'n_ctx')),
    numberOf(field(meta, 'n_ctx_train')),
  ].find((tokens) => tokens > 0)
  // Of a model that many offer, what the one that answers has.
  const provided = numberOf(field(field(row, 'top_provider'), 'context_length'))
  return provided > 0 ? Math.min(said ?? provided, provided) : (said ?? 0)
}

/** OpenRouter states dollars for one token, as text. */
const statedPrice = (pricing: unknown): ModelPrice | null => {
  const perMillion = (name: string) =>
    Math.round(Number.parseFloat(textOf(field(pricing, name))) * 1_000_000 * 10_000) / 10_000
  const [input, output] = [perMillion('prompt'), perMillion('completion')]
  const [cached, cacheWrite] = [perMillion('input_cache_read'), perMillion('input_cache_write')]
  if (!(input >= 0 && output >= 0)) return null
  return { input, output, ...(cached >= 0 && { cached }), ...(cacheWrite >= 0 && { cacheWrite }) }
}

/** For the Test button: asks for the list of models, and says in a sentence how that went. */
export const probe = async (
  kind: ProviderKind,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<{ ok: boolean; message: string; models: number }> => {
  try {
    const { length } = await listModels(kind, endpoint, signal)
    const count = length === 1 ? '1 model' : `${length} models`
    return { ok: true, message: `Connected to ${hostOf(endpoint.baseUrl)}: ${count}.`, models: length }
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    return { ok: false, message: inOneLine(thrown.error), models: 0 }
  }
}

const inOneLine = ({ message, hint }: TurnError) => (hint ? `${message} ${hint}` : message)
