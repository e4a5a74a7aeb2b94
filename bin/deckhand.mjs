#!/usr/bin/env node
// The command line: out/main/cli.js in Electron's Node. This wrapper is on the way of every run, so it does the least it
// can: what is only needed to get ready is imported only then.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { electronBinary, installedElectron } from '../scripts/electron-binary.mjs'
import { at, exitCodeOf, handOver } from '../scripts/run.mjs'
import { runMain } from '../scripts/say.mjs'

/** What the system's loader exits with when a shared library is missing. */
const NOT_LOADED = 127

/** A node needs nothing but this very Node: no Electron, no desktop. */
const runNode = async () => {
  if (existsSync(at('src-main'))) await (await import('../scripts/build.mjs')).ensureBuilt()
  process.argv.splice(2, 1)
  await import(pathToFileURL(at('out/main/node-agent.js')).href)
  return 0
}

runMain(async () => {
  if (process.argv[2] === 'node') return runNode()
  const electron = installedElectron() ?? (await electronBinary())
  if (existsSync(at('src-main'))) await (await import('../scripts/build.mjs')).ensureBuilt()
  const run = () =>
    handOver(electron, [at('out/main/cli.js'), ...process.argv.slice(2)], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DECKHAND_LAUNCHER_FD: '3' },
      // The fourth is how the program learns of the end of this process, even of one that was killed.
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    })
  let end = await run()
  if (end.code === NOT_LOADED) {
    await (await import('../scripts/system-packages.mjs')).systemPackages({ electron })
    end = await run()
  }
  return exitCodeOf(end)
})
