import type { ReactNode } from 'react'

/** Something that the folder of a session brings and the user has not decided on. */
export interface FolderNotice {
  id: string
  icon: ReactNode
  /** In a few words, for a list of what the folder brings. */
  brief: string
  /** In a sentence, when there is room for it. */
  words: string
  /** It would run programs. */
  runs: boolean
  actions: ReactNode
  /** What is open over the window. */
  dialog: ReactNode
}
