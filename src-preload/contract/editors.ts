/** A program that opens files, found on this computer. */
export interface EditorOnMachine {
  id: string
  name: string
  /** It runs in a terminal of the deck. */
  terminal: boolean
}

/** Stands for the user's own command in the setting. */
export const customEditor = 'custom'
