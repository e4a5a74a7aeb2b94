import { type ForkServer, startForkServer } from './fork-server'
import { forkTerminal, type Size, type Terminal } from './native-pty'
import type { ProcessSpec } from './process'
import { marked } from './process-mark'

/** Starts programs in terminals. */
export interface Launcher {
  open(spec: ProcessSpec, size: Size): Promise<Terminal>
  close(): void
}

/** A fork server that is gone is replaced, but not in a loop where it cannot live. */
const MAX_SERVERS = 5

export function createLauncher(): Launcher {
  let opened = 0
  let servers = 0
  let server: ForkServer | null = null
  return {
    async open(spec, size) {
      opened++
      // Whoever starts two programs will start more.
      if (opened > 1 && servers < MAX_SERVERS && (!server || server.gone)) {
        servers++
        server = startForkServer()
      }
      return server?.open(spec, size) ?? forkTerminal(marked(spec), size)
    },
    close() {
      server?.close()
      server = null
      opened = 0
      servers = 0
    },
  }
}
