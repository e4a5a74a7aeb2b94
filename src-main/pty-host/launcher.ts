import type { ProcessSpec } from '../nodes/node'
import { type ForkServer, startForkServer } from './fork-server'
import { forkTerminal, type Size, type Terminal } from './native-pty'

/** Starts programs in terminals. */
export interface Launcher {
  open(spec: ProcessSpec, size: Size): Promise<Terminal>
  close(): void
}

export function createLauncher(): Launcher {
  let opened = 0
  let server: ForkServer | null = null
  return {
    async open(spec, size) {
      opened++
      // Whoever starts two programs will start more.
      if (opened === 2) server = startForkServer()
      return server?.open(spec, size) ?? forkTerminal(spec, size)
    },
    close() {
      server?.close()
      server = null
      opened = 0
    },
  }
}
