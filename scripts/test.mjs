// All tests, stage by stage: npm test, or npm test -- unit e2e for some. The last line says how it went.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureBuilt } from './build.mjs'
import { onTestDisplay } from './display.mjs'
import { electronBinary } from './electron-binary.mjs'
import { fuzz } from './fuzz.mjs'
import { at, capture, handOver, windowEnvironment } from './run.mjs'
import { during, Refusal, runMain, say } from './say.mjs'
import { security } from './security.mjs'
import { systemPackages } from './system-packages.mjs'
import { playwrightCounts, playwrightFailures, vitestCounts, vitestFailures } from './test-counts.mjs'

/**
 * A stage does its work, prints what a reader needs, and returns how many of its tests passed, failed and were skipped.
 * `needs` names stages without which it could only fail slowly.
 */
const stages = [
  { name: 'types', run: () => check('Checking types', ['node_modules/typescript/bin/tsc', '--noEmit']) },
  { name: 'lint', run: () => check('Linting', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']) },
  { name: 'build', run: build },
  { name: 'unit', run: unit },
  { name: 'security', run: ({ electron }) => security(electron, { classes: [], short: true }) },
  { name: 'fuzz', run: fuzzing },
  { name: 'e2e', needs: ['build'], run: endToEnd },
]

const results = 'test-results'
const passedOne = { passed: 1, failed: 0, skipped: 0 }
const failedOne = { passed: 0, failed: 1, skipped: 0 }

runMain(async () => {
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => !stages.some((stage) => stage.name === name))
  if (unknown.length > 0) {
    throw new Refusal(
      `No such stage: ${unknown.join(', ')}. There are: ${stages.map((stage) => stage.name).join(', ')}`,
    )
  }
  mkdirSync(at(results), { recursive: true })
  const setup = await attempt(prepare)
  const rows = setup.failed ? [{ name: 'setup', seconds: 0, ...failedOne }] : await runStages(chosen, setup.value)
  printFailures(rows)
  printTable(rows)
  const total = (key) => rows.reduce((sum, row) => sum + row[key], 0)
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : ''
  console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`)
  return total('failed') > 0 ? 1 : 0
})

async function prepare() {
  const electron = await electronBinary()
  await systemPackages({ electron, programs: ['Xvfb', 'tmux', 'git', 'ssh', 'ps', 'bwrap'], useful: ['sshd', 'zsh'] })
  return { electron }
}

async function runStages(chosen, context) {
  const rows = []
  let interrupted = false
  process.once('SIGINT', () => {
    interrupted = true
  })
  for (const stage of stages.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    if (interrupted) break
    say(`\n── ${stage.name}`)
    const startedAt = Date.now()
    const broken = rows.find((row) => row.failed > 0 && stage.needs?.includes(row.name))
    if (broken) say(`Not run: the stage ${broken.name} failed.`)
    const outcome = broken ? { value: failedOne } : await attempt(() => stage.run(context))
    rows.push({ name: stage.name, seconds: (Date.now() - startedAt) / 1000, ...(outcome.value ?? failedOne) })
  }
  return rows
}

/** A stage that breaks must not take the others with it. */
async function attempt(work) {
  try {
    return { failed: false, value: await work() }
  } catch (error) {
    say(error instanceof Refusal ? error.message : String(error?.stack ?? error))
    return { failed: true }
  }
}

async function check(label, [program, ...args]) {
  const result = await during(label, () => capture(process.execPath, [at(program), ...args]))
  if (result.output.trim()) say(result.output.trim())
  return result.code === 0 ? passedOne : failedOne
}

async function build() {
  await ensureBuilt()
  return passedOne
}

async function unit({ electron }) {
  const report = freshReport('unit.json')
  const reporters = ['default', './conformance/reporter.ts', 'json'].map((name) => `--reporter=${name}`)
  const args = [...reporters, `--outputFile.json=${report}`]
  const end = await handOver(electron, [at('node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: at('.'),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 2, 2],
  })
  return ofVitest(report, end)
}

async function fuzzing({ electron }) {
  const report = freshReport('fuzz-tests.json')
  const end = await fuzz(electron, 3000, ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  return ofVitest(report, end)
}

async function endToEnd() {
  await ensureBuilt()
  const report = freshReport('e2e.json')
  const args = [at('node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json']
  const run = (env) =>
    handOver(process.execPath, args, {
      cwd: at('.'),
      env: { ...windowEnvironment(env), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      stdio: ['ignore', 2, 2],
    })
  const end = await onTestDisplay(run)
  const told = readReport(report)
  return { ...playwrightCounts(told, end.code === 0), names: playwrightFailures(told) }
}

function ofVitest(report, end) {
  const told = readReport(report)
  return { ...vitestCounts(told, end.code === 0), names: vitestFailures(told) }
}

function freshReport(name) {
  const file = at(`${results}/${name}`)
  rmSync(file, { force: true })
  return file
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Once more at the end, which is what is left of a long output. */
function printFailures(rows) {
  const names = rows.flatMap(({ names = [] }) => names)
  if (names.length > 0) console.log('')
  for (const name of names.slice(0, 50)) console.log(`✗ ${name.replace(`${at('.')}/`, '').slice(0, 300)}`)
}

function printTable(rows) {
  console.log('')
  for (const { name, passed, failed, skipped, seconds } of rows) {
    const counts = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`]
      .map((text) => text.padStart(13))
      .join('')
    console.log(`${failed > 0 ? '✗' : '✓'} ${name.padEnd(12)}${counts}${`${seconds.toFixed(1)} s`.padStart(10)}`)
  }
}
