import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../changes/diff'
import { type Image, look } from '../changes/put'
import type { Argv } from './cage'

/** A second workspace in which a command can do what it wants, while the first stays as it is. */
export interface View {
  /** The folder that stands in the place of the workspace. */
  folder: string
  /** The words that `argv` has to be started with, so that it sees the folder. */
  enter(argv: Argv): Argv
  /** Options of bubblewrap that the way in makes necessary. */
  identity: readonly string[]
  /** How many bytes the changes weigh by now. */
  size(): Promise<number>
  /** What is different from the workspace, or would be, as it is now. */
  changes(): Promise<Change[]>
  /** What a path has become. */
  image(path: string): Promise<Image | null>
  close(): Promise<void>
}

export interface ViewLimits {
  /** Of changes, and of files in a copy. */
  maxEntries: number
  /** Of a copy. */
  maxBytes: number
}

/** What is at a path; `null` for what is neither file, link nor folder, or is too large to be kept in mind. */
export async function imageAt(root: string, path: string): Promise<Image | null> {
  const found = await look(root, path)
  return found === 'no-way' ? null : found.image
}

/** Deletes a folder that a command had for itself; it may have taken the right to look into its folders from everybody. */
export function removeScratch(scratch: string): void {
  const open = (folder: string): void => {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) open(join(folder, entry.name))
  }
  if (!existsSync(scratch)) return
  open(scratch)
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}

/** There is more than could be looked through or copied. */
export class TooLarge extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TooLarge'
  }
}
