import { readdirSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { checklist, complete, idsIn, titles, undecidable } from './checklist'

/** Says, for each document, how many of its lines are decided and how, and which have no test. */
export default class ConformanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { states, failures, untried } = collect(modules)
    const lines = [...checklist].flatMap(([seed, ids]) => {
      const decided = ids.filter((id) => states.has(id))
      const passed = decided.filter((id) => states.get(id) === true)
      const untested = ids.filter((id) => !states.has(id) && !undecidable.has(id))
      const failed = decided.filter((id) => states.get(id) === false)
      return [
        `${seed} ${(titles[seed] ?? '').padEnd(26)} ${count(ids, 'lines')}  ${count(decided, 'decided')}  ${count(passed, 'passed')}  ${count(failed, 'failed')}  ${count(untested, 'without a test')}`,
        ...(failed.length > 0 ? [`   failed: ${failed.join(' ')}`] : []),
        ...(untested.length > 0 ? [`   without a test: ${ranges(untested)}`] : []),
      ]
    })
    const open = [...undecidable].map(([id, reason]) => `   ${id}: ${reason}`)
    const told = [
      ...failures,
      ...(failures.length > 0 ? [''] : []),
      ...lines,
      ...(open.length > 0 ? ['Cannot be decided here:', ...open] : []),
      ...(untried.length > 0 ? ['Not tried here:', ...untried] : []),
    ]
    process.stdout.write(`${told.join('\n')}\n`)
    const missing = complete
      .flatMap((seed) => checklist.get(seed) ?? [])
      .some((id) => !states.has(id) && !undecidable.has(id))
    // Whoever asked for a part of the tests does not want to hear about the rest.
    if (missing && isWhole(modules)) process.exitCode = 1
  }
}

const isWhole = (modules: readonly TestModule[]): boolean => {
  const ran = new Set(modules.map(({ moduleId }) => moduleId.split('/').at(-1)))
  return readdirSync(import.meta.dirname).every((file) => !file.endsWith('.test.ts') || ran.has(file))
}

/** A line is passed when every test that decides it is. A test that did not run decides nothing. */
function collect(modules: readonly TestModule[]) {
  const states = new Map<string, boolean>()
  const failures: string[] = []
  const untried: string[] = []
  for (const module of modules) {
    for (const error of module.errors()) failures.push(`✗ ${module.relativeModuleId}: ${error.message}`)
    for (const test of module.children.allTests()) {
      const result = test.result()
      const { state, errors } = result
      if (result.state === 'skipped' && result.note !== undefined) untried.push(`   ${test.fullName}: ${result.note}`)
      if (state === 'failed')
        failures.push(`✗ ${test.fullName}`, ...(errors ?? []).map(({ message }) => `    ${message.split('\n')[0]}`))
      if (state !== 'passed' && state !== 'failed') continue
      for (const id of idsIn(test.name)) states.set(id, (states.get(id) ?? true) && state === 'passed')
    }
  }
  return { states, failures, untried }
}

const count = (ids: readonly string[], what: string): string => `${String(ids.length).padStart(3)} ${what}`

/** `S2-Tool-01…08` rather than eight names. */
function ranges(ids: readonly string[]): string {
  const groups = Map.groupBy(ids, (id) => id.replace(/-\d\d$/, ''))
  return [...groups]
    .map(([group, members]) => `${group}-${members.map((id) => id.slice(-2)).join(',')}`)
    .map((text) => text.replace(/(\d\d)(?:,\d\d){2,}(?=$)/, (run) => collapse(run)))
    .join(' ')
}

const collapse = (run: string): string => {
  const numbers = run.split(',').map(Number)
  const [first = 0] = numbers
  const unbroken = numbers.every((number, index) => number === first + index)
  return unbroken ? `${run.slice(0, 2)}…${run.slice(-2)}` : run
}
