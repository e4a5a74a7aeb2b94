import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Case, failed, type Judge, passed, type Result, undecided } from './cases'
import { topics } from './topics'
import type { Topic } from './topics/topic'

const checkout = resolve(import.meta.dirname, '..')

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
}

/** Titles and outcomes, by test file. */
type Outcomes = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What can only be told in words is staged by tests of the project; they are run here, and their outcome counts. */
export const namedJudge: Judge = {
  classes: [...topics.keys()],
  async run(cases) {
    const found = cases.map((one) => ({ one, topic: topicOf(one) }))
    const files = new Set(found.flatMap(({ topic }) => topic?.tests.map(([file]) => `src-main/${file}.test.ts`) ?? []))
    const outcomes: Outcomes = files.size > 0 ? runTests([...files]) : new Map()
    return found.map(({ one, topic }) => judge(one, topic, outcomes))
  },
}

/** By its id; a case that nobody knew of, by why it is there, then by all it says. */
function topicOf(one: Case): Topic | undefined {
  const all = topics.get(one.class) ?? []
  const bound = all.find(({ ids }) => ids?.split(' ').includes(one.id))
  if (bound) return bound
  const { why = '', assert = '' } = one.expected
  const said = JSON.stringify(one.input)
  return [why, `${said} ${why}`, `${said} ${assert}`]
    .map((words) => all.find((topic) => topic.words.test(words.toLowerCase())))
    .find((topic) => topic !== undefined)
}

function judge(one: Case, topic: Topic | undefined, outcomes: Outcomes): Result {
  if (!topic) return undecided(one, 'no test stages this')
  for (const [file, title] of topic.tests) {
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

function runTests(files: readonly string[]): Outcomes {
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
