import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capture, isRoot } from './run.mjs'
import { Refusal } from './say.mjs'

/**
 * The flags that Chromium's sandbox asks for on this machine. Root cannot have one. Anybody else needs either user
 * namespaces, which some distributions forbid, or Chromium's helper owned by root; without both it would only abort.
 * @param {string} electron
 * @returns {Promise<string[]>}
 */
export async function sandboxFlags(electron) {
  if (process.platform !== 'linux') return []
  if (isRoot) return ['--no-sandbox']
  const helper = join(dirname(electron), 'chrome-sandbox')
  if (ownedByRootAndSetuid(helper)) return []
  if ((await capture('unshare', ['--user', 'true'])).code === 0) return []
  throw new Refusal(
    `This system lets no ordinary program make a sandbox, and Deckhand does not run without one.\nRun: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
  )
}

function ownedByRootAndSetuid(file) {
  const info = statSync(file, { throwIfNoEntry: false })
  return info !== undefined && info.uid === 0 && (info.mode & 0o4000) !== 0
}
