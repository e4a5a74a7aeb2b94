// Which lines of the documents hold: npm run conformance. Prints a table, and exits with 1 if any test failed.
import { electronBinary } from './electron-binary.mjs'
import { at, exitCodeOf, handOver } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

runMain(async () => {
  const electron = await electronBinary()
  await systemPackages({ electron, programs: ['tmux', 'git', 'ps'], useful: ['ssh', 'sshd'] })
  const args = [at('node_modules/vitest/vitest.mjs'), 'run', 'conformance/', '--reporter=./conformance/reporter.ts']
  const end = await handOver(electron, [...args, ...process.argv.slice(2)], {
    cwd: at('.'),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  return exitCodeOf(end)
})
