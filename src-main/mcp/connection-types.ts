import type { AuthProvider, CallToolResult, Resource } from '@modelcontextprotocol/client'
import type { McpLogLine, McpServerConfig, McpState } from '../../src-preload/contract/mcp'
import type { Attachment } from '../../src-preload/contract/messages'
import type { McpPrompt } from './prompts'
import type { AskUser } from './server-questions'
import type { McpDefinition } from './tool-definition'

export interface ConnectionOptions {
  config: McpServerConfig
  /** Values of the secret variables and headers, by name. */
  secrets: { env: Record<string, string>; headers: Record<string, string> }
  /** For an address that requires a sign-in. */
  auth: AuthProvider
  /** How requests leave this machine. */
  fetch: typeof fetch
  /** The name shown to the user. */
  name: string
  /** The folder that the server is told to work in: always this one, that of the calling session, or none. */
  root: { folder: string } | 'of-the-session' | null
  version: string
  /** The working folder of a server that does not name one. */
  cwd: string
  log(from: McpLogLine['from'], text: string): void
  /** Called when the state, tools or error have changed. */
  changed(): void
  /** The pause before the second attempt; doubled for each further one. */
  backoffMs?: number
}

export interface CallOptions {
  signal: AbortSignal
  /** The workspace of the calling session. */
  folder: string
  onProgress(text: string): void
  /** Shows the user a question from the server. Absent if nobody can answer. */
  ask?: AskUser
}

/** One server: kept running, and called. */
export interface Connection {
  readonly state: McpState
  readonly error: string | undefined
  readonly restarts: number
  readonly pid: number | undefined
  readonly serverName: string | undefined
  readonly tools: readonly McpDefinition[]
  /** What the user should know of these tools, as a sentence; empty for nothing. */
  readonly toolsNote: string
  readonly prompts: readonly McpPrompt[]
  /** The revision of the protocol in use, once connected. */
  readonly protocol: string | undefined
  /** Settles when the first attempt has succeeded or failed. */
  start(): Promise<void>
  /** Settles when a running or scheduled attempt has succeeded or failed; at once if there is none. */
  untilTried(): Promise<void>
  call(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
  /** The text of a prompt with these arguments. */
  prompt(
    name: string,
    args: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ text: string; attachments: Attachment[] }>
  /** The server's resources; empty if it has none. */
  resources(signal: AbortSignal): Promise<Resource[]>
  read(uri: string, signal: AbortSignal): Promise<Attachment[]>
  close(): Promise<void>
}
