/** MCP servers as the window shows them. */

export type McpState =
  | 'off'
  | 'starting'
  | 'ready'
  /** It ended or could not be reached; it is tried again after a pause. */
  | 'waiting'
  /** It was tried too often; only the user starts it again. */
  | 'failed'
  /** It lets nobody in that has not signed in. */
  | 'sign-in'
  /** Neither a command nor an address is set. */
  | 'skipped'

/** How a server is reached. Secret values are never in here, only the names that have one. */
export interface McpServerConfig {
  command?: string
  args?: string[]
  cwd?: string
  url?: string
  /** Values that are no secret. */
  env?: Record<string, string>
  headers?: Record<string, string>
  /** Names of variables and headers whose values are kept with the keys. */
  secretEnv?: string[]
  secretHeaders?: string[]
  /** Whether it is told the workspace of the session that calls it, as its root. */
  tellFolder?: boolean
  enabled: boolean
}

/** `waiting`: the browser is open. `expired`: there was a sign-in, and it holds no longer. */
export type McpSignIn = 'needed' | 'expired' | 'waiting' | 'done'

export type McpPolicy = 'ask' | 'allow' | 'deny'

export interface McpToolInfo {
  /** As the server calls it, without anything that cannot be seen. */
  name: string
  /** As the model calls it. */
  fullName: string
  description: string
  schema: string
  policy: McpPolicy
  /** Set when it is not what it was when the user first saw or last accepted it: a unified diff of its definition. */
  change?: string
}

export interface McpServerInfo {
  /** Unique among all servers; of one of the user's own the same as its name. */
  id: string
  /** Stands before `__` in the names of its tools. */
  name: string
  /** The folder whose file names it; absent for one of the user's own. */
  project?: string
  config: McpServerConfig
  transport: 'stdio' | 'http' | 'none'
  state: McpState
  /** What went wrong last, in words. */
  error?: string
  /** Absent where nobody has asked for one. */
  signIn?: McpSignIn
  /** Starts after the first one. */
  restarts: number
  pid?: number
  /** What the server calls itself. */
  serverName?: string
  /** The revision of the protocol that it speaks, such as 2026-07-28. */
  protocol?: string
  tools: McpToolInfo[]
  warnings: string[]
}

/** Something a server has to read, which can be attached to a message. */
export interface McpResource {
  /** The id of the server. */
  server: string
  uri: string
  name: string
  description: string
  mimeType: string
  size?: number
}

export interface McpLogLine {
  at: number
  /** What the server wrote to stderr, what it sent as a log message, or what happened to it. */
  from: 'stderr' | 'server' | 'deckhand'
  text: string
}

export interface McpImport {
  servers: { id: string; config: McpServerConfig }[]
  warnings: string[]
}

/** A server as the file of a project describes it, word for word: what the user would agree to. */
export interface McpProjectServer {
  name: string
  /** The program and its arguments; or else an address. */
  argv?: string[]
  url?: string
  cwd?: string
  /** `NAME=value` and `Name: value`, of what looks like a secret the name alone. */
  env: string[]
  headers: string[]
  /** Variables of the user's own environment that it would be given. */
  reads: string[]
}

/** What a folder wants to start by its `.mcp.json`. Nothing of it runs unless this very content is trusted. */
export interface McpProject {
  folder: string
  /** `none`: there is no such file, or nothing in it. `later`: not now, until the next start of the app. */
  state: 'none' | 'asks' | 'later' | 'trusted' | 'never'
  /** Of the content that is shown here. */
  hash: string
  /** Something else in this file was trusted before. */
  changed: boolean
  servers: McpProjectServer[]
  warnings: string[]
}

/** What the user says to a project. `ask` takes back what was said before. */
export type McpProjectVerdict = 'trust' | 'later' | 'never' | 'ask'

export type McpEvent =
  | { type: 'mcp'; servers: McpServerInfo[] }
  | { type: 'mcp-projects'; projects: McpProject[] }
  | { type: 'mcp-log'; server: string; lines: McpLogLine[] }
