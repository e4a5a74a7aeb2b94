import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'vitest'
import { callsJudge } from './calls'
import { type Case, type Judge, loadCases, type Result, undecided } from './cases'
import { effectsJudge } from './effects'
import { familiesJudge } from './families'
import { gateJudge } from './gate'
import { helpersJudge } from './helpers'
import { namedJudge } from './named'
import { pageJudge } from './page'
import { racedJudge } from './raced'
import { ruinedJudge } from './ruined'
import { stagedJudge } from './staged'
import { terminalJudge } from './terminal'
import { typedJudge } from './typed'
import { webJudge } from './web'

const checkout = resolve(import.meta.dirname, '..')
const judges: readonly Judge[] = [
  gateJudge,
  familiesJudge,
  effectsJudge,
  racedJudge,
  helpersJudge,
  typedJudge,
  ruinedJudge,
  webJudge,
  terminalJudge,
]
/** They start the app or whole test files, and take a minute or two. */
const slow: readonly Judge[] = [pageJudge, callsJudge, stagedJudge, namedJudge]

test('every case', async () => {
  const wanted = (process.env.DECKHAND_CLASSES ?? '').split(' ').filter(Boolean)
  const cases = loadCases(process.env.DECKHAND_CORPUS ?? join(checkout, 'security/cases')).filter(
    (one) => wanted.length === 0 || wanted.includes(one.class),
  )
  const results = new Map<string, Result>()
  const isOpen = ({ id }: Case): boolean => (results.get(id)?.outcome ?? 'undecided') === 'undecided'
  const short = Boolean(process.env.DECKHAND_SHORT)
  for (const judge of short ? judges : [...judges, ...slow]) {
    const mine = cases.filter((one) => judge.classes.includes(one.class) && isOpen(one))
    if (mine.length === 0) continue
    for (const result of await judge.run(mine)) results.set(result.case.id, result)
  }
  const left = new Set(short ? slow.flatMap((judge) => judge.classes) : [])
  const rows = cases
    .map((one) => results.get(one.id) ?? undecided(one, 'nothing here decides cases of this kind'))
    .filter(({ case: one, outcome }) => outcome !== 'undecided' || !left.has(one.class))
    .map(({ case: one, outcome, note }) => ({ id: one.id, class: one.class, outcome, note }))
  mkdirSync(join(checkout, 'test-results'), { recursive: true })
  writeFileSync(join(checkout, 'test-results/security.json'), JSON.stringify(rows, null, 1))
})
