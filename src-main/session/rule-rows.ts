import type { Action, Rule, RuleMatch, RuleScope } from '../../src-preload/contract/approval'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import { newId } from './ids'

interface Row {
  id: string
  scope: RuleScope
  subject: string
  verdict: Rule['verdict']
  action: Action
  match: string
  sentence: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  use_count: number
}

type NewRule = Pick<Rule, 'scope' | 'subject' | 'verdict' | 'action' | 'match' | 'sentence'> & {
  expiresAt?: number | null
}

/**
 * The rules that the user agreed to. They are few and read for every call, so they are kept in memory too; each use is
 * noted there at once and written in a batch, since losing a count in a crash harms nobody.
 */
export const createRuleRows = (database: Database, now: () => number) => {
  let cache: Rule[] | null = null
  const used = new Map<string, { count: number; at: number }>()

  const list = (): Rule[] => {
    cache ??= database.prepare<Row>('SELECT * FROM rules ORDER BY created_at, rowid').all().flatMap(toRule)
    const time = now()
    return cache.filter((rule) => rule.expiresAt === null || rule.expiresAt > time)
  }

  const flush = (): boolean => {
    if (used.size === 0) return false
    database.transaction(() => {
      for (const [id, { count, at }] of used) {
        database.prepare('UPDATE rules SET use_count = use_count + ?, last_used_at = ? WHERE id = ?').run(count, at, id)
      }
    })
    used.clear()
    return true
  }

  return {
    list,
    flush,
    /** The same rule twice is one rule. */
    add: (rule: NewRule): Rule => {
      const match = JSON.stringify(rule.match)
      const same = list().find(
        (known) =>
          known.scope === rule.scope &&
          known.subject === rule.subject &&
          known.verdict === rule.verdict &&
          known.action === rule.action &&
          JSON.stringify(known.match) === match,
      )
      if (same) return same
      const added: Rule = {
        id: newId('r'),
        scope: rule.scope,
        subject: rule.subject,
        verdict: rule.verdict,
        action: rule.action,
        match: rule.match,
        sentence: rule.sentence,
        createdAt: now(),
        expiresAt: rule.expiresAt ?? null,
        lastUsedAt: null,
        useCount: 0,
      }
      database
        .prepare(
          `INSERT INTO rules (id, scope, subject, verdict, action, match, sentence, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          added.id,
          added.scope,
          added.subject,
          added.verdict,
          added.action,
          match,
          added.sentence,
          added.createdAt,
          added.expiresAt,
        )
      cache?.push(added)
      return added
    },
    revoke: (id: string): void => {
      database.prepare('DELETE FROM rules WHERE id = ?').run(id)
      used.delete(id)
      cache = cache?.filter((rule) => rule.id !== id) ?? null
    },
    /** Notes a use; `flush` writes it. */
    use: (id: string): void => {
      const rule = list().find((candidate) => candidate.id === id)
      if (!rule) return
      rule.useCount++
      rule.lastUsedAt = now()
      used.set(id, { count: (used.get(id)?.count ?? 0) + 1, at: rule.lastUsedAt })
    },
  }
}

/** A rule that cannot be read does not count: what it allowed is asked about again. */
const toRule = (row: Row): Rule[] => {
  const match = readJson<RuleMatch, null>(row.match, null)
  return match ? [{ ...restOf(row), match }] : []
}

const restOf = (row: Row): Omit<Rule, 'match'> => ({
  id: row.id,
  scope: row.scope,
  subject: row.subject,
  verdict: row.verdict,
  action: row.action,
  sentence: row.sentence,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  useCount: row.use_count,
})
