import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'vitest'
import { callsJudge } from './calls'
import { type Judge, loadCases, type Result, undecided } from './cases'
import { gateJudge } from './gate'
import { namedJudge } from './named'
import { pageJudge } from './page'
import { terminalJudge } from './terminal'
import { webJudge } from './web'

const checkout = resolve(import.meta.dirname, '..')
const judges: readonly Judge[] = [gateJudge, webJudge, terminalJudge]
/** They start the app or whole test files, and take a minute or two. */
const slow: readonly Judge[] = [pageJudge, callsJudge, namedJudge]

test('every case', async () => {
  const wanted = (process.env.DECKHAND_CLASSES ?? '').split(' ').filter(Boolean)
  const cases = loadCases(process.env.DECKHAND_CORPUS ?? join(checkout, 'security/cases')).filter(
    (one) => wanted.length === 0 || wanted.includes(one.class),
  )
  const results: Result[] = []
  const short = Boolean(process.env.DECKHAND_SHORT)
  for (const judge of short ? judges : [...judges, ...slow]) {
    const mine = cases.filter((one) => judge.classes.includes(one.class))
    if (mine.length > 0) results.push(...(await judge.run(mine)))
  }
  const seen = new Set(results.map((result) => result.case.id))
  const left = new Set(short ? slow.flatMap((judge) => judge.classes) : [])
  for (const one of cases.filter((each) => !left.has(each.class)))
    if (!seen.has(one.id)) results.push(undecided(one, 'nothing here decides cases of this kind'))
  const rows = results.map(({ case: one, outcome, note }) => ({ id: one.id, class: one.class, outcome, note }))
  mkdirSync(join(checkout, 'test-results'), { recursive: true })
  writeFileSync(join(checkout, 'test-results/security.json'), JSON.stringify(rows, null, 1))
})
