// The end-to-end tests alone, with Playwright's own arguments: npm run e2e -- e2e/chat.test.ts --grep approve
import { ensureBuilt } from './build.mjs'
import { onTestDisplay } from './display.mjs'
import { electronBinary } from './electron-binary.mjs'
import { at, exitCodeOf, handOver, windowEnvironment } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

runMain(async () => {
  const electron = await electronBinary()
  await systemPackages({ electron, programs: ['Xvfb', 'tmux', 'git'], useful: ['ssh', 'sshd', 'bwrap'] })
  await ensureBuilt()
  const args = [at('node_modules/@playwright/test/cli.js'), 'test', ...process.argv.slice(2)]
  const run = (env) => handOver(process.execPath, args, { cwd: at('.'), env: windowEnvironment(env) })
  return exitCodeOf(await onTestDisplay(run))
})
