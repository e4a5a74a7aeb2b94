/** A file or folder of the workspace that a message can name. */
export interface MentionedFile {
  /** From the workspace, with slashes; a folder ends with one. */
  path: string
  folder: boolean
}

/** A message of a session that holds what was looked for. */
export interface FoundMessage {
  messageId: string
  seq: number
}
