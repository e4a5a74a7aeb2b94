import { resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { hasDisplay, virtualDisplay } from './display.mjs'
import { electronBinary } from './electron-binary.mjs'
import { at, exitCodeOf, handOver, windowEnvironment } from './run.mjs'
import { sandboxFlags } from './sandbox.mjs'
import { Refusal, runMain, say } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

runMain(async () => {
  const args = withAbsoluteScreenshot(process.argv.slice(2))
  const electron = await electronBinary()
  await systemPackages({ electron, programs: hasDisplay ? [] : ['Xvfb'], useful: ['tmux', 'git'] })
  await ensureBuilt()
  const display = hasDisplay ? { env: process.env, close: () => {} } : await withoutDisplay(args)
  try {
    // Chromium reports at length that a machine without a desktop has no message bus; that helps nobody.
    const flags = ['--log-level=3', ...(await sandboxFlags(electron))]
    const env = windowEnvironment(display.env)
    return exitCodeOf(await handOver(electron, [...flags, at('out/main/index.js'), ...args], { env }))
  } finally {
    display.close()
  }
})

async function withoutDisplay(args) {
  const display = await virtualDisplay()
  const hint = args.some((arg) => arg.startsWith('--screenshot'))
    ? ''
    : ' To get a picture of the window: npm start -- --screenshot FILE'
  say(`There is no display here: running under Xvfb on ${display.name}.${hint}`)
  return display
}

/**
 * The app takes `--screenshot=FILE` with a path that does not depend on a folder; people may type `--screenshot FILE`.
 * npm runs scripts in the package's folder, and INIT_CWD is where the command was typed.
 */
function withAbsoluteScreenshot(args) {
  const at = args.findIndex((arg) => arg === '--screenshot' || arg.startsWith('--screenshot='))
  if (at < 0) return args
  const apart = args[at] === '--screenshot'
  const file = apart ? args[at + 1] : args[at].slice('--screenshot='.length)
  if (!file) throw new Refusal('--screenshot needs the name of a file, such as: npm start -- --screenshot out.png')
  const absolute = resolve(process.env.INIT_CWD ?? process.cwd(), file)
  return args.toSpliced(at, apart ? 2 : 1, `--screenshot=${absolute}`)
}
