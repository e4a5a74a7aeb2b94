import { existsSync } from 'node:fs'
import type { Spent, UsageHistory } from '../../src-preload/contract/usage'
import { UsageError } from '../arguments'
import { openDatabase } from '../database'
import { createStore } from '../session/store'
import { dayOf } from '../session/usage-rows'
import { dataDirOf } from './data-dir'

/** Prints what was used and what it cost, by day, model or session. Reads the database only; no engine is started. */
export async function usage(options: Map<string, string>): Promise<number> {
  const to = dayOption(options, 'to') ?? dayOf(Date.now())
  const from = dayOption(options, 'from') ?? `${to.slice(0, 7)}-01`
  if (from > to) throw new UsageError(`--from ${from} is after --to ${to}`)
  const dataDir = dataDirOf(options)
  if (options.has('data') && !existsSync(dataDir)) throw new UsageError(`--data: folder not found: ${dataDir}`)
  const database = openDatabase(dataDir)
  try {
    const history = createStore(database).usage.history(from, to)
    if (options.has('json')) process.stdout.write(`${JSON.stringify({ from, to, ...history }, null, 2)}\n`)
    else process.stdout.write(table(history, options.get('by') ?? 'day', from, to))
    return 0
  } finally {
    database.close()
  }
}

function dayOption(options: Map<string, string>, name: string): string | undefined {
  const value = options.get(name)
  if (value === undefined) return undefined
  // The 30th of February would count as a day in March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && dayOf(Date.parse(`${value}T12:00`)) === value
  if (!isDay) throw new UsageError(`--${name} is a day such as 2026-11-17, not "${value}"`)
  return value
}

function table(history: UsageHistory, by: string, from: string, to: string): string {
  if (history.total.requests === 0) return `Nothing was used from ${from} to ${to}.\n`
  const rows: [string, Spent][] =
    by === 'model'
      ? history.models.map((row) => [row.model, row])
      : by === 'session'
        ? history.sessions.map((row) => [`${row.sessionId}  ${row.title ?? '(deleted)'}`, row])
        : history.days.map((row) => [row.day, row])
  const head = ['requests', 'in', 'cached', 'written', 'out', 'cost']
  rows.push(['Total', history.total])
  const lines = rows.map(([name, spent]) => ({
    name,
    cells: [
      spent.requests,
      spent.inputTokens,
      spent.cachedTokens,
      spent.cacheWriteTokens,
      spent.outputTokens,
      costWords(spent),
    ].map(String),
  }))
  const widths = head.map((title, index) =>
    Math.max(title.length, ...lines.map(({ cells }) => cells[index]?.length ?? 0)),
  )
  const line = (cells: string[], name: string): string =>
    `${cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')}  ${name}`.trimEnd()
  return [line(head, by), ...lines.map(({ cells, name }) => line(cells, name)), ''].join('\n')
}

function costWords({ cost, unpricedTokens }: Spent): string {
  if (cost === null) return 'unknown'
  return `$${cost.toFixed(4)}${unpricedTokens > 0 ? ' + unknown' : ''}`
}
