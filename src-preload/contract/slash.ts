/** A command that can be typed at the beginning of a message, after a slash. */
export interface SlashCommand {
  /** Without the slash; see `slashName`. */
  name: string
  description: string
  /** What can be typed after the name, such as `[path]`; empty for nothing. */
  hint: string
  /** Where it comes from, in words for the user: "MCP server everything", "this project". */
  from: string
}

/** What a name may look like. No slash in it, so that a path such as `/etc/hosts` is never taken for a command. */
export const slashName = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,99}$/u

/** Splits a message into the name of a command and what follows it; null for a message that is none. */
export function readSlash(text: string): { name: string; args: string } | null {
  const [, name, args] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  return name && slashName.test(name) ? { name, args: args ?? '' } : null
}

/** The type of the attachment that carries what a command says in full. */
export const commandType = 'text/x-deckhand-command'
