import type { ReactNode } from 'react'

/** Something in the session's folder that the user has not decided on yet. */
export interface FolderNotice {
  id: string
  icon: ReactNode
  /** In a few words, for a list of notices. */
  brief: string
  /** In a sentence, if there is room for it. */
  words: string
  /** Whether it would run programs. */
  runs: boolean
  actions: ReactNode
  /** The open dialog, if any. */
  dialog: ReactNode
}
