import { localFiles } from '../../nodes/files/local-files'
import type { NodeFiles } from '../../nodes/files/node-files'
import { createFileMemory, type FileMemory } from '../files/file-memory'

/** The machine that a set of tools works on. */
export interface ToolNode {
  /** The node id that the gate judges calls by. */
  id: string
  /** Throws `ToolFailure` while it is not connected. */
  files(): NodeFiles
  /** What sessions have seen of files; only for this machine. */
  memory?: FileMemory
  /** For another machine: its folder, where relative paths start, and the shell that runs commands there. */
  far?: { workspace(): string; shell(): string }
}

/** This machine. */
export const localToolNode = (id = 'local', memory = createFileMemory()): ToolNode => ({
  id,
  files: () => localFiles,
  memory,
})
