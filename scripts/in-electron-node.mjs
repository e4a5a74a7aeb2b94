// Runs a script in Electron's own Node, the runtime that ships: node scripts/in-electron-node.mjs SCRIPT [ARGS]
import { electronBinary } from './electron-binary.mjs'
import { exitCodeOf, handOver } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

runMain(async () => {
  const electron = await electronBinary()
  await systemPackages({ electron })
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  return exitCodeOf(await handOver(electron, process.argv.slice(2), { env }))
})
