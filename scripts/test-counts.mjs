// How many tests a runner's JSON report tells of. A runner that broke down without saying which test it was counts as one
// failed test: silence must never look like success.

/**
 * @param {any} report of vitest's json reporter, or undefined if there is none
 * @param {boolean} succeeded the runner's own verdict
 */
export function vitestCounts(report, succeeded) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const unloadable = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return honest(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloadable.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    succeeded,
  )
}

/**
 * @param {any} report of Playwright's json reporter, or undefined if there is none
 * @param {boolean} succeeded the runner's own verdict
 */
export function playwrightCounts(report, succeeded) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, flaky, unexpected, skipped } = report.stats
  return honest({ passed: expected + flaky, failed: unexpected, skipped }, succeeded)
}

function honest(counts, succeeded) {
  return !succeeded && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/**
 * The failed tests by name, for the end of a long output.
 * @param {any} report of vitest's json reporter, or undefined if there is none
 * @returns {string[]}
 */
export const vitestFailures = (report) =>
  (report?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    const names = failed.length > 0 || file.status !== 'failed' ? failed : ['could not be loaded']
    return names.map((name) => `${file.name}: ${name}`)
  })

/**
 * The same of Playwright's json reporter.
 * @param {any} report
 * @returns {string[]}
 */
export const playwrightFailures = (report) => (report?.suites ?? []).flatMap(failuresIn)

const failuresIn = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(failuresIn),
  ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line}: ${title}`),
]
