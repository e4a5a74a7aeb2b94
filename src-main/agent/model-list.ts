import type { TurnError } from '../../src-preload/contract/messages'
import type { ModelInfo, ProviderKind } from '../../src-preload/contract/models'
import { type Asked, describeThrown, notAnAnswer, ProviderFailure } from './failure'
import { anthropicHeaders, baseCandidates, checkedKey, type Endpoint, hostOf, readText, send } from './http'
import { field, listOf, numberOf, parseObject, textOf } from './json'
import { modelFacts } from './model-facts'

/** A model without the provider's id in front, which only the settings know. */
export type ListedModel = Omit<ModelInfo, 'id'>

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
      return await readPages(`${first}/models`, kind, asked, signal)
    } catch (thrown) {
      const missing = thrown instanceof ProviderFailure && thrown.detail.status === 404
      if (!second || !missing) throw thrown
      return await readPages(`${second}/models`, kind, asked, signal)
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
  signal: AbortSignal,
): Promise<ListedModel[]> => {
  const headers: Record<string, string> =
    kind === 'anthropic' ? anthropicHeaders(asked.key) : asked.key ? { authorization: `Bearer ${asked.key}` } : {}
  const models = new Map<string, ListedModel>()
  let after = ''
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams(kind === 'anthropic' ? { limit: '1000' } : {})
    if (after) query.set(kind === 'anthropic' ? 'after_id' : 'after', after)
    const incoming = await send(query.size > 0 ? `${url}?${query}` : url, { headers, signal }, asked)
    let text = ''
    for await (const piece of readText(incoming)) text += piece
    const body = parseObject(text)
    const rows = listOf(field(body, 'data') ?? field(body, 'models'))
    if (!body || (rows.length === 0 && !('data' in body) && !('models' in body))) throw notAnAnswer(text, asked)
    for (const row of rows) {
      const name = textOf(field(row, 'id')) || textOf(field(row, 'name')) || textOf(row)
      if (name && canChat(name)) models.set(name, describe(name, row, asked.host))
    }
    const last = textOf(field(body, 'last_id')) || textOf(field(rows.at(-1), 'id'))
    if (field(body, 'has_more') !== true || last === '' || last === after) break
    after = last
  }
  return [...models.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Lists hold models for pictures, speech and search as well, which nobody can talk to. */
const canChat = (name: string) =>
  !/(^|[/-])(text-embedding|embed|embedding|whisper|tts|dall-e|gpt-image|omni-moderation|text-moderation|rerank|sora|babbage|davinci)/i.test(
    name,
  )

/** What the server says about itself goes before what is known by name. */
const describe = (name: string, row: unknown, host: string): ListedModel => {
  const facts = modelFacts(name, host)
  const said =
    numberOf(field(row, 'context_length')) ||
    numberOf(field(row, 'max_context_length')) ||
    numberOf(field(row, 'max_model_len')) ||
    numberOf(field(row, 'context_window')) ||
    numberOf(field(field(row, 'meta'), 'n_ctx_train'))
  const price = statedPrice(field(row, 'pricing')) ?? facts.price
  return { name, contextWindow: said || facts.contextWindow, ...(price && { price }) }
}

/** OpenRouter states dollars for one token, as text. */
const statedPrice = (pricing: unknown): ModelInfo['price'] | null => {
  const perMillion = (name: string) => Number.parseFloat(textOf(field(pricing, name))) * 1_000_000
  const [input, output, cached] = [perMillion('prompt'), perMillion('completion'), perMillion('input_cache_read')]
  if (!(input >= 0 && output >= 0)) return null
  return { input, output, ...(cached >= 0 && { cached }) }
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
