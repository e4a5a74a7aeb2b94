/** What was used, in tokens and in money. `inputTokens` includes the cached and the written ones. */
export interface Spent {
  requests: number
  inputTokens: number
  outputTokens: number
  /** Read from the provider's cache. */
  cachedTokens: number
  /** Written to it. */
  cacheWriteTokens: number
  /** US dollars for everything that has a known price; null if there was usage and none of it has. */
  cost: number | null
  /** Tokens, in and out, of models whose price is not known. */
  unpricedTokens: number
}

export const nothingSpent: Spent = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  cost: 0,
  unpricedTokens: 0,
}

/** Published after each request, for the session that the spending counts towards. */
export interface SpendingEvent {
  type: 'spending'
  sessionId: string
  /** The running turn, or else the last one; null if there was none since Deckhand was started. */
  turn: Spent | null
  /** Everything in this session, including its sub-agents. */
  session: Spent
  /** All sessions. */
  today: Spent
  month: Spent
}

/** Usage between two days, grouped in three ways. */
export interface UsageHistory {
  total: Spent
  /** Newest first; days without usage are left out. */
  days: (Spent & { day: string })[]
  /** Most expensive first. */
  models: (Spent & { model: string })[]
  sessions: (Spent & { sessionId: string; title: string | null })[]
}
