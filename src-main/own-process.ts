import { fileURLToPath } from 'node:url'

/**
 * How a part of ours that runs by itself is found and started. There are two ways to run: from a checkout, where Electron
 * can be told by a variable to be plain Node, and installed, where a fuse forbids that and `start.ts` leads to the part.
 */

/** Parts with a file of their own in the build, and where their source is. */
const parts = {
  'embed-worker': './memory/embed-worker.ts',
  'page-worker': './web/page-worker.ts',
  'sandbox-bridge': './sandbox/bridge.ts',
  'tool-relay': './tool-server/relay.ts',
} as const

type Part = keyof typeof parts

/** Built, it is beside the entry files, and this code in one of them or in a chunk. Else it is the source. */
export function partFile(part: Part, here: string = import.meta.url): URL {
  if (here.endsWith('.ts')) return new URL(parts[part], here)
  return new URL(here.includes('/chunks/') ? `../${part}.js` : `./${part}.js`, here)
}

/** Whether this code was loaded from an installed package. */
export const isInstalled = (here: string = import.meta.url): boolean => /[\\/]app\.asar[\\/]/.test(here)

/** What `start.ts` reads: the word that names a part. All that follows `--` belongs to the part itself. */
export const partSwitch = '--deckhand-part='

/**
 * Switches for a part without a window: nothing of Chromium is started, so there is nothing to sandbox and no helper
 * process to prepare.
 */
const withoutChromium = ['--no-sandbox', '--no-zygote', '--log-level=3']

export interface OwnProgram {
  /** Arguments for the part follow these words. */
  argv: [string, ...string[]]
  /** Variables that it needs, and that its own children should not get. */
  env: Readonly<Record<string, string>>
}

/** The program that runs a part in a process of its own, as plain Node. */
export function ownProgram(part: Part, here: string = import.meta.url): OwnProgram {
  if (isInstalled(here)) return { argv: [process.execPath, ...withoutChromium, `${partSwitch}${part}`, '--'], env: {} }
  const env: Record<string, string> = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }
  return { argv: [process.execPath, fileURLToPath(partFile(part, here))], env }
}
