import { type ForkServer, startCageServer } from './fork-server'
import type { Size, Terminal } from './native-pty'
import type { ProcessSpec } from './process'

/** Cages, each with a program inside that starts commands in it. */
export interface Cages {
  /** Resolves when commands can be started in it; rejects if it cannot be made. */
  open(id: string, argv: readonly string[]): Promise<void>
  /** Starts a command; a cage that has ended is opened again first. */
  start(id: string, spec: ProcessSpec, size: Size): Promise<Terminal>
  /** Lets a cage end after the last command in it. */
  retire(id: string): void
  /** Ends all cages and everything that runs in them. */
  close(): void
}

const READY_MS = 10_000

export function createCages(): Cages {
  const cages = new Map<string, { argv: readonly string[]; server: ForkServer }>()

  const make = async (id: string, argv: readonly string[]): Promise<ForkServer> => {
    const server = startCageServer(argv)
    if (!server) throw new Error('There is nothing here to start commands in a cage with (perl).')
    cages.set(id, { argv, server })
    if (await within(server.ready)) return server
    server.close()
    throw new Error('The cage could not be made, or ended at once.')
  }

  return {
    async open(id, argv) {
      await make(id, argv)
    },
    async start(id, spec, size) {
      const known = cages.get(id)
      if (!known) throw new Error('The cage of this command is not open.')
      const server = known.server.gone ? await make(id, known.argv) : known.server
      const terminal = server.open(spec, size) ?? ((await within(server.ready)) ? server.open(spec, size) : null)
      if (!terminal) throw new Error('The cage of this command has ended. Try again.')
      return terminal
    },
    retire(id) {
      cages.get(id)?.server.retire()
      cages.delete(id)
    },
    close() {
      for (const { server } of cages.values()) server.close()
      cages.clear()
    },
  }
}

/** False if the cage is not ready in time. */
async function within(ready: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_MS)
  })
  try {
    return await Promise.race([ready, late])
  } finally {
    clearTimeout(timer)
  }
}
