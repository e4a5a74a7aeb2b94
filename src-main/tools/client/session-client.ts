/**
 * The program that a session was opened from, such as an editor, and what it offers to the session's tools; what it
 * does not offer is missing here. Every answer comes within a limit, and every error is one of the two classes below.
 */
export interface SessionClient {
  /** For the model and the user: `Zed`. */
  name: string
  /** The text of a file as it is open there, with changes that are not saved yet. */
  readText?(path: string): Promise<string>
  writeText?(path: string, text: string): Promise<void>
  openTerminal?(wanted: ClientCommand): Promise<ClientTerminal>
}

export interface ClientCommand {
  argv: readonly [string, ...string[]]
  cwd: string
  /** Set besides the variables that the client itself has. */
  env: Readonly<Record<string, string>>
  /** How much output it keeps, from the end. */
  mostBytes: number
}

/** A terminal of the client, with a command in it. */
export interface ClientTerminal {
  id: string
  /** Has no time limit: commands may run for long. */
  readonly ended: Promise<{ exitCode: number | null; signal: string | null }>
  output(): Promise<{ text: string; truncated: boolean }>
  kill(): Promise<void>
  /** Ends the command if it still runs; the client keeps showing its output. */
  release(): Promise<void>
}

/** The client refused, and has done nothing. */
export class ClientRefusal extends Error {
  override name = 'ClientRefusal'
}

/** The client did not answer, or is gone: what it has done is unknown. */
export class ClientSilence extends Error {
  override name = 'ClientSilence'
}

export interface SessionClients {
  /** `undefined` for a session that was opened here. */
  of(sessionId: string): SessionClient | undefined
  set(sessionId: string, client: SessionClient): void
  remove(sessionId: string): void
}

/** `rootOf`: the session that a sub-agent works for. */
export function createSessionClients(rootOf: (sessionId: string) => string): SessionClients {
  const clients = new Map<string, SessionClient>()
  return {
    of: (sessionId) => {
      if (clients.size === 0) return undefined
      const own = clients.get(sessionId)
      if (own) return own
      const theirs = clients.get(rootOf(sessionId))
      if (!theirs) return undefined
      // The client is not told of a sub-agent's calls, so a terminal of theirs would not be visible there.
      const { openTerminal: _, ...files } = theirs
      return files
    },
    set: (sessionId, client) => void clients.set(sessionId, client),
    remove: (sessionId) => void clients.delete(sessionId),
  }
}
