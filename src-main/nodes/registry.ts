import type { NodeInfo } from '../../src-preload/contract/nodes'

/** All machines whose tools can be used, the local one first. */
export interface NodeRegistry {
  /** Local first, then by id. */
  list(): NodeInfo[]
  get(id: string): NodeInfo | undefined
  /** Of this machine: from its host name unless the user chose another. */
  localId(): string
  isLocal(id: string): boolean
  /** Where a call goes that names no node, in the vocabulary of GSV: the chosen one, else the first by name. */
  primary(): NodeInfo
  /** Connected nodes other than the local one. */
  others(): NodeInfo[]
  onChange(listener: () => void): () => void
}
