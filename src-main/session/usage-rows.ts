import { nothingSpent, type Spent, type UsageHistory } from '../../src-preload/contract/usage'
import type { TokenUsage } from '../agent/usage'
import type { Database } from '../database'

interface Sums {
  requests: number
  input_tokens: number | null
  output_tokens: number | null
  cached_tokens: number | null
  cache_write_tokens: number | null
  cost: number | null
  unpriced_tokens: number | null
}

interface UsageEntry {
  sessionId: string
  /** The session that it counts towards: of a sub-agent, the one that sent it. */
  rootId: string
  model: string
  usage: TokenUsage
  /** Null if the price is not known. */
  cost: number | null
}

const sums = `coalesce(sum(requests), 0) AS requests, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
  sum(cached_tokens) AS cached_tokens, sum(cache_write_tokens) AS cache_write_tokens, sum(cost) AS cost,
  sum(unpriced_tokens) AS unpriced_tokens`

/** What was used, added up for each day, session and model as it is recorded. */
export const createUsageRows = (database: Database, now: () => number) => {
  const add = database.prepare(
    `INSERT INTO usage_days (day, session_id, model, root_id, requests, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, cost, unpriced_tokens)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, session_id, model) DO UPDATE SET
       requests = requests + 1,
       input_tokens = input_tokens + excluded.input_tokens,
       output_tokens = output_tokens + excluded.output_tokens,
       cached_tokens = cached_tokens + excluded.cached_tokens,
       cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
       cost = CASE WHEN excluded.cost IS NULL THEN cost ELSE coalesce(cost, 0) + excluded.cost END,
       unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens`,
  )
  const between = database.prepare<Sums>(`SELECT ${sums} FROM usage_days WHERE day BETWEEN ? AND ?`)
  const ofRoot = database.prepare<Sums>(`SELECT ${sums} FROM usage_days WHERE root_id = ?`)
  const grouped = <Name extends string>(column: Name, order: string) =>
    database.prepare<Sums & Record<Name, string>>(
      `SELECT ${column}, ${sums} FROM usage_days WHERE day BETWEEN ? AND ? GROUP BY ${column} ORDER BY ${order}`,
    )
  const expensive = 'cost DESC NULLS LAST, unpriced_tokens DESC'
  const days = grouped('day', 'day DESC')
  const models = grouped('model', expensive)
  const sessions = database.prepare<Sums & { root_id: string; title: string | null }>(
    `SELECT root_id, (SELECT title FROM sessions WHERE sessions.id = root_id AND deleted_at IS NULL) AS title, ${sums}
     FROM usage_days WHERE day BETWEEN ? AND ? GROUP BY root_id ORDER BY ${expensive}`,
  )
  const today = (): string => dayOf(now())

  return {
    add: ({ sessionId, rootId, model, usage, cost }: UsageEntry): void => {
      const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0 } = usage
      const unpriced = cost === null ? inputTokens + outputTokens : 0
      add.run(
        ...[today(), sessionId, model, rootId],
        ...[inputTokens, outputTokens, cachedTokens, cacheWriteTokens, cost, unpriced],
      )
    },
    /** With its sub-agents. */
    ofSession: (rootId: string): Spent => toSpent(ofRoot.get(rootId)),
    today: (): Spent => toSpent(between.get(today(), today())),
    month: (): Spent => toSpent(between.get(`${today().slice(0, 7)}-01`, today())),
    /** Both days are included. */
    history: (from: string, to: string): UsageHistory => ({
      total: toSpent(between.get(from, to)),
      days: days.all(from, to).map((row) => ({ day: row.day, ...toSpent(row) })),
      models: models.all(from, to).map((row) => ({ model: row.model, ...toSpent(row) })),
      sessions: sessions.all(from, to).map((row) => ({ sessionId: row.root_id, title: row.title, ...toSpent(row) })),
    }),
  }
}

/** The day in the time zone of this machine: 2026-11-17. */
export const dayOf = (time: number): string => {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const toSpent = (row: Sums | undefined): Spent =>
  row && row.requests > 0
    ? {
        requests: row.requests,
        inputTokens: row.input_tokens ?? 0,
        outputTokens: row.output_tokens ?? 0,
        cachedTokens: row.cached_tokens ?? 0,
        cacheWriteTokens: row.cache_write_tokens ?? 0,
        cost: row.cost,
        unpricedTokens: row.unpriced_tokens ?? 0,
      }
    : nothingSpent
