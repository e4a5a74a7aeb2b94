import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ListRootsResult } from '@modelcontextprotocol/client'

/** How long a call waits for a server to ask where it is now; one that never asks does not care. */
const patienceMs = 1000
/** Nothing in the protocol tells when it has taken the answer in. */
const settleMs = 200

/** The folder that a server is told of as the one to work in. */
export function createRoots(given: { folder: string } | 'of-the-session' | null) {
  let folder = typeof given === 'object' ? given?.folder : undefined
  let known: (() => void) | undefined

  return {
    list: (): ListRootsResult => {
      known?.()
      return { roots: folder === undefined ? [] : [{ uri: pathToFileURL(folder).href, name: basename(folder) }] }
    },
    /** Before a call from another folder: tells the server, and gives it the time to ask which. */
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
