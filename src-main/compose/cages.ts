import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../engine'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { createSessionCages, type SessionCages } from '../sandbox/session-cages'
import type { Places } from './places'
import type { Storage } from './storage'

/** Joins what holds commands: the sandbox that a session may have, and the cage for what nobody was asked about. */
export function composeCages(
  options: Pick<Engine, 'dataDir' | 'publish'> & Pick<Places, 'localNode'> & { storage: Storage },
): { sandbox: Sandbox; cages: SessionCages } {
  const { dataDir, localNode, storage, publish } = options
  const home = homedir()
  const sandbox = createSandbox({ home, own: [dataDir], hosts: () => storage.settings().sandboxHosts })
  // Made now, since a cage shows only what is there when it is made.
  const snapshots = join(dataDir, 'login-shell')
  mkdirSync(snapshots, { recursive: true, mode: 0o700 })
  const cages = createSessionCages({
    sandbox,
    node: localNode,
    home,
    own: [dataDir],
    needed: [snapshots],
    onProblem: (problem) => {
      storage.log.info('Commands that run without a question cannot be put into a cage', { problem })
      publish({ type: 'note', text: `You will be asked more often than necessary. ${problem}` })
    },
  })
  return { sandbox, cages }
}
