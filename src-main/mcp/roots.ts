import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ListRootsResult } from '@modelcontextprotocol/client'

/** How long a call waits for a server to ask for the new folder; a server that never asks does not need it. */
const patienceMs = 1000
/** The protocol does not tell when the server has processed the answer. */
const settleMs = 200

/** The folder that a server is told to work in. */
export function createRoots(given: { folder: string } | 'of-the-session' | null) {
  let folder = typeof given === 'object' ? given?.folder : undefined
  let known: (() => void) | undefined

  return {
    list: (): ListRootsResult => {
      known?.()
      return { roots: folder === undefined ? [] : [{ uri: pathToFileURL(folder).href, name: basename(folder) }] }
    },
    /** For a server that asks whenever it needs to know. */
    set(next: string): void {
      if (given === 'of-the-session') folder = next
    },
    /** Before a call from another folder: notifies the server, and gives it time to ask for the folder. */
    async enter(next: string, tell: () => Promise<void>): Promise<void> {
      if (given !== 'of-the-session' || next === folder) return
      folder = next
      const { promise, resolve } = Promise.withResolvers<void>()
      known = resolve
      await tell()
      const timer = setTimeout(resolve, patienceMs)
      await promise
      clearTimeout(timer)
      await new Promise((settled) => setTimeout(settled, settleMs))
    },
  }
}
