import type { Network } from '../network/network'
import { createFetch, type Fetch, type Resolve } from './guarded-fetch'
import { createPageReader } from './page-reader'
import type { PageText } from './page-text'
import { type SearchHit, search, searchEndpoint } from './search'

/** Web access for the tools. Failures are thrown as a `WebError`. */
export interface Web {
  fetch: Fetch
  /** The readable part of a page. */
  readPage(html: string, address: string): Promise<PageText>
  search(query: string, count: number, signal?: AbortSignal): Promise<SearchHit[]>
  /** The results of the configured search service; `null` if none is configured. */
  searchEndpoint(query: string, count: number, signal?: AbortSignal): Promise<unknown[] | null>
  close(): Promise<void>
}

interface WebOptions {
  /** Whether addresses of this machine and its network may be fetched. */
  allowLocal(): boolean
  /** The user's own search service; empty for none. */
  searchEndpoint(): string
  /** How requests leave this machine; straight to their address if absent. */
  network?: Network
  resolve?: Resolve
  duckDuckGo?: string
}

export function createWeb(options: WebOptions): Web {
  const { allowLocal, searchEndpoint: endpoint, network, resolve, duckDuckGo } = options
  const fetch = createFetch({ allowLocal, network, resolve })
  const pages = createPageReader()
  const searching = { fetch, endpoint, duckDuckGo }
  return {
    fetch,
    readPage: pages.read,
    search: (query, count, signal) => search(searching, query, count, signal),
    searchEndpoint: (query, count, signal) => searchEndpoint(searching, query, count, signal),
    close: async () => {
      await Promise.all([fetch.close(), pages.close()])
    },
  }
}
