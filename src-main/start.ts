import { partSwitch } from './own-process'

/**
 * The entry of the installed app, for the window and for all that runs without one. Electron runs Node's loop until this
 * module is complete and only then starts Chromium, so a part that never completes needs no display, and no
 * ELECTRON_RUN_AS_NODE, whose fuse is off in the package.
 */
const parts = new Map<string, () => Promise<unknown>>([
  ['cli', () => import('./cli')],
  ['sandbox-bridge', () => import('./sandbox/bridge')],
  ['tool-relay', () => import('./tool-server/relay')],
])

const end = process.argv.indexOf('--')
const switches = end < 0 ? process.argv : process.argv.slice(0, end)
const name = switches.find((word) => word.startsWith(partSwitch))?.slice(partSwitch.length)

if (name === undefined) {
  await import('./index')
} else {
  // Electron would open a box for an error that nobody handles, and wait for a click where nobody sees it.
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return
    process.stderr.write(`deckhand: ${error.stack ?? error.message}\n`)
    process.exit(1)
  })
  const load = parts.get(name)
  if (!load) throw new Error(`There is no part ${JSON.stringify(name)} in this Deckhand`)
  process.argv = [process.execPath, 'deckhand', ...(end < 0 ? [] : process.argv.slice(end + 1))]
  await load()
  // The part ends the process itself.
  await new Promise(() => {})
}
