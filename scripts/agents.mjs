// Real agents from npm, each with a turn of every kind against a scripted model: npm run agents, or npm run agents -- goose qwen.
// They are installed into node_modules/.cache/agents, about 1.5 GB for all of them; without a network those that are there
// are run, and the others are skipped.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { electronBinary } from './electron-binary.mjs'
import { at, exitCodeOf, handOver } from './run.mjs'
import { runMain } from './say.mjs'

const folder = process.env.DECKHAND_AGENTS ?? at('node_modules/.cache/agents')

/** Programs that our own sides are tried with. */
const clients = [
  { id: 'acpx', name: 'acpx@0.1.15' },
  { id: 'inspector', name: '@modelcontextprotocol/inspector@0.15.0' },
]

/** The packages are named where the tests read them as well. */
const packagesOf = () => {
  const text = readFileSync(at('agents/real-agents.ts'), 'utf8')
  const named = text.matchAll(/id: '(\w+)',\n\s+packages: \['([^']+)'\]/g)
  return [...clients, ...[...named].map(([, id, name]) => ({ id, name }))]
}

function install(names) {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  for (const { id, name } of packagesOf()) {
    const bare = name.slice(0, name.lastIndexOf('@'))
    if ((names.length > 0 && !names.includes(id)) || existsSync(join(folder, 'node_modules', bare))) continue
    console.log(`Installing ${name} …`)
    const done = spawnSync(
      'npm',
      ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', name],
      { stdio: 'ignore' },
    )
    if (done.status !== 0) console.log(`${name} could not be installed; it is skipped.`)
  }
}

runMain(async () => {
  const names = process.argv.slice(2)
  install(names)
  const electron = await electronBinary()
  // A client that waits for our side should not have to wait for a build as well.
  await ensureBuilt()
  const args = [
    at('node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    at('agents/vitest.config.ts'),
    ...(process.env.DECKHAND_TEST_PATTERN ? ['-t', process.env.DECKHAND_TEST_PATTERN] : []),
    '--root',
    at('.'),
  ]
  const env = {
    ...process.env,
    ELECTRON_RUN_AS_NODE: '1',
    DECKHAND_AGENTS: folder,
    DECKHAND_AGENT_NAMES: names.join(' '),
  }
  return exitCodeOf(await handOver(electron, args, { cwd: at('.'), env }))
})
