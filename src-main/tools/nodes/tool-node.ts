import { localFiles } from '../../nodes/files/local-files'
import type { NodeFiles } from '../../nodes/files/node-files'
import { createFileMemory, type FileMemory } from '../files/file-memory'

/** The machine that a set of tools works on. */
export interface ToolNode {
  /** The node that the gate judges calls by. */
  id: string
  /** Throws `ToolFailure` while it is not connected. */
  files(): NodeFiles
  /** What sessions have seen of files; of this machine's only. */
  memory?: FileMemory
  /** Of another machine: its own folder, where relative paths start, and the shell that reads commands there. */
  far?: { workspace(): string; shell(): string }
}

/** This machine. */
export const localToolNode = (id = 'local', memory = createFileMemory()): ToolNode => ({
  id,
  files: () => localFiles,
  memory,
})
