export interface FileDiff {
  path: string
  kind: 'add' | 'update' | 'delete' | 'move'
  /** Unified diff without file headers. */
  patch: string
  added: number
  removed: number
}
