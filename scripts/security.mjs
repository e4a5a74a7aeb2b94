// Attacks and everyday use against the real modules and the real app, with passed and total of each class:
// npm run security, or npm run security -- ssrf chat-xss for some classes. DECKHAND_CORPUS names a file or a folder of cases;
// without it our own in security/cases are run. --short leaves out what starts the app.

import { readFileSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { onTestDisplay } from './display.mjs'
import { electronBinary } from './electron-binary.mjs'
import { at, handOver } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

/**
 * @param {string} electron
 * @param {{ classes: string[], short: boolean }} options
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>} how many cases passed, failed and were not decided
 */
export async function security(electron, { classes, short }) {
  const report = at('test-results/security.json')
  rmSync(report, { force: true })
  if (!short) await ensureBuilt()
  const args = [
    at('node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    at('security/vitest.config.ts'),
    '--root',
    at('.'),
  ]
  const run = (env) =>
    handOver(electron, [...args, '--reporter=dot'], {
      cwd: at('.'),
      env: {
        ...env,
        ELECTRON_RUN_AS_NODE: '1',
        DECKHAND_CLASSES: classes.join(' '),
        ...(short && { DECKHAND_SHORT: '1' }),
      },
      stdio: ['ignore', 2, 2],
    })
  const end = short ? await run(process.env) : await onTestDisplay(run)
  const rows = readRows(report)
  if (!rows) return { passed: 0, failed: 1, skipped: 0 }
  print(rows)
  const count = (outcome) => rows.filter((row) => row.outcome === outcome).length
  const failed = count('failed') + (end.code === 0 ? 0 : 1)
  return { passed: count('passed'), failed, skipped: count('undecided') }
}

function readRows(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The run broke down before its end, and said so above.
    return undefined
  }
}

function print(rows) {
  for (const { id, class: name, outcome, note } of rows)
    if (outcome !== 'passed') console.log(`${outcome === 'failed' ? '✗' : '?'} ${id} ${name}: ${note}`)
  console.log('')
  for (const name of new Set(rows.map((row) => row.class)))
    console.log(
      line(
        name,
        rows.filter((row) => row.class === name),
      ),
    )
  console.log(line('all', rows))
}

function line(name, rows) {
  const count = (outcome) => rows.filter((row) => row.outcome === outcome).length
  const open = count('undecided') > 0 ? `, ${count('undecided')} not decided` : ''
  return `${count('failed') > 0 ? '✗' : '✓'} ${name.padEnd(26)}${`${count('passed')} of ${rows.length}`.padStart(12)} passed${open}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  runMain(async () => {
    const electron = await electronBinary()
    const args = process.argv.slice(2)
    const short = args.includes('--short')
    await systemPackages({ electron, programs: short ? ['git'] : ['Xvfb', 'git'] })
    const { failed } = await security(electron, { classes: args.filter((arg) => !arg.startsWith('--')), short })
    return failed > 0 ? 1 : 0
  })
}
