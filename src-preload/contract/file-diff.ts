export interface FileDiff {
  path: string
  kind: 'add' | 'update' | 'delete' | 'move'
  /** Unified diff without file headers. */
  patch: string
  added: number
  removed: number
  /** Who made this change, if it is not what the call itself would do: `the session “Fix login”`. */
  by?: string
}
