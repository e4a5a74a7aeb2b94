import type { AuthProvider, CallToolResult, Client, Transport } from '@modelcontextprotocol/client'
import type { McpLogLine, McpServerConfig, McpState } from '../../src-preload/contract/mcp'
import { watchCall } from './call-watch'
import { openTransport } from './open-transport'
import { createRoots } from './roots'
import { transportOf } from './server-config'
import { type AskUser, createServerQuestions } from './server-questions'
import { SignInNeeded } from './sign-ins'
import { cleanDefinition, type McpDefinition, shownText } from './tool-definition'
import { usefulLine } from './useful-line'

export interface ConnectionOptions {
  config: McpServerConfig
  /** Values of the secret variables and headers, by name. */
  secrets: { env: Record<string, string>; headers: Record<string, string> }
  /** For an address that requires a sign-in. */
  auth: AuthProvider
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
  /** Settles when the first attempt has succeeded or failed. */
  start(): Promise<void>
  /** Settles when a running or scheduled attempt has succeeded or failed; at once if there is none. */
  untilTried(): Promise<void>
  call(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
  close(): Promise<void>
}

const usualBackoffMs = 1000
const longestBackoffMs = 60_000
const mostTries = 6
/** A server that ran this long does not count as one that fails at once. */
const steadyMs = 60_000
const connectMs = 30_000
const silenceMs = 5 * 60_000
/** Includes the time that the user takes to answer. */
const longestCallMs = 24 * 60 * 60_000
const mostTools = 500
const keptWords = 60

export function createConnection(options: ConnectionOptions): Connection {
  const { config, changed } = options
  const kind = transportOf(config)
  let client: Client | null = null
  let transport: (Transport & { readonly pid?: number | undefined }) | null = null
  let state: McpState = kind === 'none' ? 'skipped' : 'off'
  let error: string | undefined
  let tools: McpDefinition[] = []
  let serverName: string | undefined
  let starts = 0
  let failures = 0
  let readyAt = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const questions = createServerQuestions(options.name, (words) => log('deckhand', words))
  const roots = createRoots(options.root)
  /** What it wrote to stderr since its start; explains more than the fact that it ended. */
  let stderr: string[] = []
  const waiting = new Set<() => void>()
  const log: ConnectionOptions['log'] = (from, text) => {
    if (from === 'stderr') stderr = [...stderr, text].slice(-keptWords)
    options.log(from, text)
  }

  const become = (next: McpState, words?: string): void => {
    state = next
    error = words
    if (words) log('deckhand', words)
    changed()
    if (next === 'starting') return
    for (const wake of waiting) wake()
    waiting.clear()
  }

  const connect = async (): Promise<void> => {
    starts++
    stderr = []
    become('starting')
    const { Client: McpClient } = await import('@modelcontextprotocol/client')
    const made = new McpClient(
      { name: 'deckhand', version: options.version },
      // The server may show forms to the user, and is told a folder. It cannot use our model: the user would pay for
      // the text, and nobody would see it.
      {
        capabilities: { elicitation: { form: {} }, ...(options.root && { roots: { listChanged: true } }) },
        listChanged: { tools: { onChanged: (failure, list) => take(failure, list) } },
      },
    )
    made.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => questions.answer(params, mcpReq.signal))
    if (options.root) made.setRequestHandler('roots/list', () => roots.list())
    made.onerror = (failure) => log('deckhand', failure.message.slice(0, 2000))
    made.setNotificationHandler('notifications/message', ({ params }) =>
      log('server', `${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`),
    )
    client = made
    try {
      transport = await openTransport({ ...options, log })
      await made.connect(transport, { timeout: connectMs })
      if (closed) return await made.close()
      made.onclose = () => lost(made, 'The server ended')
      serverName = made.getServerVersion()?.name.slice(0, 100)
      const listed = made.getServerCapabilities()?.tools
        ? (await made.listTools(undefined, { timeout: connectMs })).tools
        : []
      readyAt = Date.now()
      take(null, listed)
    } catch (failure) {
      await leave(made)
      if (closed) return
      client = null
      if (failure instanceof SignInNeeded) shutOut()
      else retry(`The server could not be started: ${messageOf(failure)}`)
    }
  }

  const take = (failure: Error | null, list: Parameters<typeof cleanDefinition>[0][] | null): void => {
    if (failure || !list) {
      log('deckhand', `The list of tools could not be read: ${failure?.message ?? ''}`)
      return
    }
    const cleaned = list.slice(0, mostTools).map(cleanDefinition)
    for (const each of cleaned) if (typeof each === 'string') log('deckhand', each)
    // The first of two tools with the same name wins: a later one must not replace it unnoticed.
    const byName = new Map<string, McpDefinition>()
    for (const each of cleaned) if (typeof each !== 'string' && !byName.has(each.name)) byName.set(each.name, each)
    tools = [...byName.values()]
    become('ready')
  }

  const leave = (which: Client): Promise<void> =>
    which.close().catch((trouble: unknown) => log('deckhand', `Closing failed: ${String(trouble)}`))

  const lost = (which: Client, words: string): void => {
    if (closed || client !== which) return
    client = null
    retry(words)
  }

  /** Retrying would not help: the user has to sign in. */
  const shutOut = (): void => {
    tools = []
    transport = null
    failures = 0
    become('sign-in', new SignInNeeded().message)
  }

  const withLastWords = (words: string): string => {
    const said = shownText(usefulLine(stderr), 300)
    return said ? `${words}. It said: ${said}` : words
  }

  const retry = (reason: string): void => {
    const words = withLastWords(reason)
    failures = readyAt > 0 && Date.now() - readyAt > steadyMs ? 1 : failures + 1
    readyAt = 0
    tools = []
    transport = null
    if (failures >= mostTries) {
      become('failed', `${words}. It was tried ${failures} times.`)
      return
    }
    const pause = Math.min(longestBackoffMs, (options.backoffMs ?? usualBackoffMs) * 2 ** (failures - 1))
    timer = setTimeout(() => void connect(), pause)
    timer.unref()
    become('waiting', words)
  }

  return {
    get state() {
      return state
    },
    get error() {
      return error
    },
    get restarts() {
      return Math.max(0, starts - 1)
    },
    get pid() {
      return transport?.pid
    },
    get serverName() {
      return serverName
    },
    get tools() {
      return tools
    },
    start: async () => {
      if (kind === 'none') return become('skipped', 'It has neither a command nor an address, so it is skipped')
      await connect()
    },
    untilTried: () =>
      state === 'starting' || state === 'waiting' ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve(),
    async call(tool, args, { signal, folder, onProgress, ask }) {
      const which = client
      if (!which || state !== 'ready') throw new Error('The server is not running')
      const watch = watchCall(signal, silenceMs)
      const enough = questions.during(watch, ask)
      try {
        await roots.enter(folder, () => which.sendRootsListChanged())
        return (await which.callTool(
          { name: tool, arguments: args },
          {
            signal: watch.signal,
            timeout: longestCallMs,
            onprogress: ({ progress, total, message }) => {
              watch.heard()
              onProgress([total ? `${progress} of ${total}` : `${progress}`, message].filter(Boolean).join(': '))
            },
          },
        )) as CallToolResult
      } catch (failure) {
        if (failure instanceof SignInNeeded && client === which) {
          client = null
          void leave(which)
          shutOut()
        }
        // An HTTP connection does not report its end: its loss only shows when a call fails.
        if (kind === 'http' && isLoss(failure) && !signal.aborted) {
          void leave(which)
          lost(which, `The server cannot be reached: ${messageOf(failure)}`)
        }
        if (kind === 'stdio' && isCutOff(failure) && !signal.aborted) {
          throw new Error(
            `${withLastWords(`The MCP server ${options.name} ended in the middle of this call`)}. Whether the call had an effect is not known. The server is being started again.`,
            { cause: failure },
          )
        }
        throw failure
      } finally {
        enough()
        await watch.end()
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const open = client
      client = null
      tools = []
      state = kind === 'none' ? 'skipped' : 'off'
      for (const wake of waiting) wake()
      await open?.close()
    },
  }
}

/** The client's error for a request whose connection was closed. */
const isCutOff = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'CONNECTION_CLOSED'

/** The error of `fetch` if nothing answers, or of a server that no longer knows our session. */
const isLoss = (failure: unknown): boolean =>
  failure instanceof TypeError || (failure instanceof Error && 'status' in failure && failure.status === 404)

function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const cause = failure.cause instanceof Error ? ` (${failure.cause.message})` : ''
  return failure.message.slice(0, 500) + cause
}
