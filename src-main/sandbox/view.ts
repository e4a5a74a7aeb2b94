import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../changes/diff'
import { type Image, look } from '../changes/put'
import type { Argv } from './cage'

/** A second workspace in which a command can change anything while the real one stays untouched. */
export interface View {
  /** The folder that replaces the workspace. */
  folder: string
  /** Puts in front of `argv` what it needs to see the folder. */
  enter(argv: Argv): Argv
  /** bubblewrap options that this kind of view needs. */
  identity: readonly string[]
  /** The size of the changes so far, in bytes. */
  size(): Promise<number>
  /** The differences from the workspace at this moment. */
  changes(): Promise<Change[]>
  /** The current state of a path. */
  image(path: string): Promise<Image | null>
  close(): Promise<void>
}

export interface ViewLimits {
  /** Limit on changes, and on files in a copy. */
  maxEntries: number
  /** Limit on a copy. */
  maxBytes: number
}

/** What is at a path; `null` if it is not a file, link or folder, or is too large to hold in memory. */
export async function imageAt(root: string, path: string): Promise<Image | null> {
  const found = await look(root, path)
  return found === 'no-way' ? null : found.image
}

/** Deletes a folder that a command could write to; the command may have removed permissions on its subfolders. */
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

/** There is more than can be looked through or copied. */
export class TooLarge extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TooLarge'
  }
}
