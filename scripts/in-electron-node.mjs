// Runs a script in Electron's own Node, the runtime that ships:
// node scripts/in-electron-node.mjs [--programs=Xvfb,git] SCRIPT [ARGS]. The programs are what the script starts.
import { electronBinary } from './electron-binary.mjs'
import { exitCodeOf, handOver } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

const option = '--programs='

runMain(async () => {
  const given = process.argv.slice(2)
  const names = given[0]?.startsWith(option) ? given.shift()?.slice(option.length) : undefined
  const electron = await electronBinary()
  await systemPackages({ electron, programs: names?.split(',') ?? [] })
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  return exitCodeOf(await handOver(electron, given, { env }))
})
