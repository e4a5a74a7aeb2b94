import { resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { hasDisplay, virtualDisplay } from './display.mjs'
import { electronBinary } from './electron-binary.mjs'
import { at, exitCodeOf, handOver, isRoot, windowEnvironment } from './run.mjs'
import { runMain, say } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

runMain(async () => {
  const args = withAbsoluteScreenshot(process.argv.slice(2))
  const electron = await electronBinary()
  await systemPackages({ electron, programs: hasDisplay ? [] : ['Xvfb'], useful: ['tmux', 'git'] })
  await ensureBuilt()
  const display = hasDisplay ? { env: process.env, close: () => {} } : await withoutDisplay(args)
  try {
    // Chromium reports at length that a machine without a desktop has no message bus; that helps nobody.
    const flags = ['--log-level=3', ...(process.platform === 'linux' && isRoot ? ['--no-sandbox'] : [])]
    const env = windowEnvironment(display.env)
    return exitCodeOf(await handOver(electron, [...flags, at('out/main/index.js'), ...args], { env }))
  } finally {
    display.close()
  }
})

async function withoutDisplay(args) {
  const display = await virtualDisplay()
  const hint = args.includes('--screenshot') ? '' : ' To get a picture of the window: npm start -- --screenshot FILE'
  say(`There is no display here: running under Xvfb on ${display.name}.${hint}`)
  return display
}

/** npm runs scripts in the package's folder; INIT_CWD is where the user typed the command. */
function withAbsoluteScreenshot(args) {
  const from = process.env.INIT_CWD ?? process.cwd()
  return args.map((arg, i) => {
    if (args[i - 1] === '--screenshot') return resolve(from, arg)
    return arg.startsWith('--screenshot=') ? `--screenshot=${resolve(from, arg.slice('--screenshot='.length))}` : arg
  })
}
