import { isRecord } from '../is-record'
import { decodeBody } from './decode-body'
import { duckDuckGoAddress, isChallenge, readDuckDuckGo } from './duckduckgo'
import { WebError } from './errors'
import type { Fetch } from './guarded-fetch'

export interface SearchHit {
  title: string
  url: string
  snippet: string
}

interface SearchOptions {
  fetch: Fetch
  /** The user's own search service; empty for none. */
  endpoint(): string
  /** Address of DuckDuckGo's page. */
  duckDuckGo?: string
}

const keepBytes = 2 * 1024 * 1024

/** Queries the configured service and returns its results unchanged. `null` if none is configured. */
export async function searchEndpoint(
  { fetch, endpoint }: SearchOptions,
  query: string,
  count: number,
  signal?: AbortSignal,
): Promise<unknown[] | null> {
  const address = endpoint().trim()
  if (address === '') return null
  const { status, body, contentType } = await fetch({
    url: withQuery(address, query, count),
    headers: { accept: 'application/json' },
    keepBytes,
    trusted: true,
    signal,
  })
  if (status >= 400) throw new WebError('failed', `the search service answers with status ${status}`)
  const value = readJson(decodeBody(body, contentType))
  const rows = resultRows(value)
  if (!rows) throw new WebError('failed', 'the search service answers with something that has no list of results')
  return rows.slice(0, count)
}

/** Results with title, address and snippet, from the configured service or from DuckDuckGo. */
export async function search(
  options: SearchOptions,
  query: string,
  count: number,
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  const rows = await searchEndpoint(options, query, count, signal)
  if (rows) return rows.flatMap((row) => hitOf(row) ?? [])
  const { status, body, contentType } = await options.fetch({
    url: options.duckDuckGo ?? duckDuckGoAddress,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams({ q: query }).toString(),
    keepBytes,
    trusted: options.duckDuckGo !== undefined,
    signal,
  })
  const html = decodeBody(body, contentType)
  if (status === 202 || isChallenge(html)) {
    throw new WebError(
      'failed',
      'DuckDuckGo wants to see a person first. Wait a while, or set a search endpoint in the settings',
    )
  }
  if (status >= 400) throw new WebError('failed', `DuckDuckGo answers with status ${status}`)
  return readDuckDuckGo(html).slice(0, count)
}

/** Fills in `{query}` and `{count}` if the endpoint has them, else adds the usual parameters `q` and `count`. */
function withQuery(endpoint: string, query: string, count: number): string {
  if (endpoint.includes('{query}')) {
    return endpoint.replaceAll('{query}', encodeURIComponent(query)).replaceAll('{count}', String(count))
  }
  const url = URL.parse(endpoint)
  if (!url) throw new WebError('failed', 'the search endpoint in the settings is not a valid address')
  url.searchParams.set('q', query)
  url.searchParams.set('count', String(count))
  return url.href
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WebError('failed', 'the search service does not answer in JSON')
  }
}

/** Finds the list of results where common services put it. */
function resultRows(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return null
  const holder = value
  for (const key of ['results', 'organic', 'organic_results', 'items', 'web', 'data', 'webPages', 'value']) {
    if (!Object.hasOwn(holder, key)) continue
    const found = resultRows(holder[key])
    if (found) return found
  }
  return null
}

function hitOf(row: unknown): SearchHit | null {
  if (!isRecord(row)) return null
  const fields = row
  const first = (...keys: string[]): string => {
    const key = keys.find((each) => typeof fields[each] === 'string')
    return key === undefined ? '' : String(fields[key])
  }
  const url = first('url', 'link', 'href')
  return url === ''
    ? null
    : { title: first('title', 'name'), url, snippet: first('snippet', 'description', 'content', 'body') }
}
