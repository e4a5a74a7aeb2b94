import { expect, test } from 'vitest'
import { playwrightCounts, playwrightFailures, vitestCounts, vitestFailures } from './test-counts.mjs'

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

test('counts what the runners report', () => {
  expect(vitestCounts(vitest, true)).toEqual({ passed: 5, failed: 0, skipped: 2 })
  const stats = { expected: 3, flaky: 1, unexpected: 2, skipped: 1 }
  expect(playwrightCounts({ stats }, false)).toEqual({ passed: 4, failed: 2, skipped: 1 })
})

test('a file that cannot be loaded is a failed test', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(vitestCounts({ ...vitest, testResults }, false).failed).toBe(1)
})

test('a runner that breaks down is never a success', () => {
  expect(vitestCounts(undefined, true).failed).toBe(1)
  expect(playwrightCounts(undefined, false).failed).toBe(1)
  expect(vitestCounts(vitest, false).failed).toBe(1)
})

test('the failed tests are named', () => {
  const report = {
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [{ status: 'failed', fullName: 'counts' }, { status: 'passed' }],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [] },
    ],
  }
  expect(vitestFailures(report)).toEqual(['a.test.ts: counts', 'b.test.ts: could not be loaded'])
  expect(vitestFailures(undefined)).toEqual([])
  const spec = { file: 'd.test.ts', line: 3, title: 'walks' }
  const suites = [{ specs: [{ ...spec, ok: true }], suites: [{ specs: [{ ...spec, ok: false }] }] }]
  expect(playwrightFailures({ suites })).toEqual(['d.test.ts:3: walks'])
  expect(playwrightFailures(undefined)).toEqual([])
})
