import { type Cages, createCages } from './cages'
import { removeGroup } from './control-group'
import { type ForkServer, startForkServer } from './fork-server'
import { held } from './held-program'
import { forkTerminal, type Size, type Terminal } from './native-pty'
import type { ProcessSpec } from './process'

/** Starts programs in terminals. */
export interface Launcher {
  open(spec: ProcessSpec, size: Size): Promise<Terminal>
  close(): void
}

/** A launcher that can also start them in cages opened before. */
interface CagingLauncher extends Launcher {
  cages: Cages
}

/** A fork server that ended is replaced, but not endlessly if it cannot run here. */
const MAX_SERVERS = 5

export function createLauncher(): CagingLauncher {
  let opened = 0
  let servers = 0
  let server: ForkServer | null = null
  const cages = createCages()
  return {
    cages,
    async open(spec, size) {
      if (spec.cage !== undefined) return cages.start(spec.cage, spec, size)
      opened++
      // A host that starts a second program will probably start more.
      if (opened > 1 && servers < MAX_SERVERS && (!server || server.gone)) {
        servers++
        server = startForkServer()
      }
      return server?.open(spec, size) ?? forkHere(spec, size)
    },
    close() {
      cages.close()
      server?.close()
      server = null
      opened = 0
      servers = 0
    },
  }
}

function forkHere(spec: ProcessSpec, size: Size): Terminal {
  const terminal = forkTerminal(held(spec), size)
  void terminal.exited.then(() => removeGroup(spec.id))
  return terminal
}
