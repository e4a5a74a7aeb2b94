import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Case, failed, type Judge, passed, type Result, undecided } from './cases'
import { namedTests } from './named-tests'

const checkout = resolve(import.meta.dirname, '..')

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
}

/** What can only be told in words is staged by tests of the project; they are run here, and their outcome counts. */
export const namedJudge: Judge = {
  classes: [...new Set(namedTests.map(([name]) => name))],
  async run(cases) {
    const found = cases.map((one) => ({ one, tests: testsFor(one) }))
    const files = [...new Set(found.flatMap(({ tests }) => tests.map(([file]) => `src-main/${file}.test.ts`)))]
    const outcomes = files.length > 0 ? runTests(files) : new Map<string, Map<string, string>>()
    return found.map(({ one, tests }) => judge(one, tests, outcomes))
  },
}

function testsFor(one: Case): [string, string][] {
  const words = `${JSON.stringify(one.input)} ${one.expected.why ?? ''}`.toLowerCase()
  const entry = namedTests.find(([name, pattern]) => name === one.class && pattern.test(words))
  return entry ? (entry.slice(2) as [string, string][]) : []
}

function judge(one: Case, tests: readonly [string, string][], outcomes: Map<string, Map<string, string>>): Result {
  if (tests.length === 0) return undecided(one, 'no test stages this')
  for (const [file, title] of tests) {
    const all = [...(outcomes.get(file) ?? [])].filter(([name]) => matches(name, title))
    if (all.length === 0) return undecided(one, `the test is not there: ${file}, “${title}”`)
    const bad = all.find(([, status]) => status !== 'passed')
    if (bad) return failed(one, `${file}, “${bad[0]}”: ${bad[1]}`)
  }
  return passed(one)
}

/** In a title that is made for each of several inputs, `%s` stands for any of them. */
const matches = (name: string, title: string): boolean => {
  const [before = '', after] = title.split('%s')
  return name.includes(before) && (after === undefined || name.includes(after))
}

function runTests(files: readonly string[]): Map<string, Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-named-'))
  const report = join(folder, 'report.json')
  try {
    spawnSync(
      process.execPath,
      [join(checkout, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`, ...files],
      { cwd: checkout, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: 'ignore' },
    )
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    return new Map(
      testResults.map(({ name, assertionResults }) => [
        name.replace(/^.*\/src-main\//, '').replace(/\.test\.ts$/, ''),
        new Map(assertionResults.map(({ title, status }) => [title, status])),
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
