import type { CallToolResult, Client, Prompt, Transport } from '@modelcontextprotocol/client'
import type { McpState } from '../../src-preload/contract/mcp'
import { watchCall } from './call-watch'
import type { Connection, ConnectionOptions } from './connection-types'
import { isCutOff, isLoss, messageOf, signInNeeded } from './failures'
import { type Era, makeClient, mayBeOlder } from './open-client'
import { openTransport } from './open-transport'
import { cleanPrompts, type McpPrompt, promptMessage } from './prompts'
import { attachmentOf } from './resources'
import { createRoots } from './roots'
import { transportOf } from './server-config'
import { createServerQuestions } from './server-questions'
import { SignInNeeded } from './sign-ins'
import { cleanDefinition, type McpDefinition, shownText } from './tool-definition'
import { usefulLine } from './useful-line'

const usualBackoffMs = 1000
const longestBackoffMs = 60_000
const mostTries = 6
/** A server that ran this long does not count as one that fails at once. */
const steadyMs = 60_000
const connectMs = 30_000
/** For a prompt or a resource. */
const readMs = 30_000
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
  let prompts: McpPrompt[] = []
  let era: Era = 'auto'
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
    const made = await makeClient({
      ...options,
      era,
      transport: kind,
      questions,
      roots,
      log,
      onTools: take,
      onPrompts: takePrompts,
    })
    client = made
    try {
      transport = await openTransport({ ...options, log })
      await made.connect(transport, { timeout: connectMs })
      if (closed) return await made.close()
      made.onclose = () => lost(made, 'The server ended')
      serverName = made.getServerVersion()?.name.slice(0, 100)
      // It need not be asked again when it is started the next time.
      if (made.getProtocolEra() === 'legacy') era = 'legacy'
      const offers = made.getServerCapabilities()
      const limit = { timeout: connectMs }
      if (offers?.prompts) prompts = cleanPrompts(options.name, await listedPrompts(made))
      const listed = offers?.tools ? (await made.listTools(undefined, limit)).tools : []
      readyAt = Date.now()
      take(null, listed)
    } catch (failure) {
      await leave(made)
      if (closed) return
      client = null
      if (era === 'auto' && mayBeOlder(failure, kind) && !signInNeeded(failure)) {
        era = 'legacy'
        starts--
        return connect()
      }
      if (signInNeeded(failure)) shutOut()
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

  /** A server whose prompts cannot be read still has its tools. */
  const listedPrompts = async (which: Client): Promise<Prompt[]> => {
    try {
      return (await which.listPrompts(undefined, { timeout: connectMs })).prompts
    } catch (failure) {
      log('deckhand', `The list of prompts could not be read: ${messageOf(failure)}`)
      return []
    }
  }

  const takePrompts = (failure: Error | null, list: Prompt[] | null): void => {
    if (failure || !list) log('deckhand', `The list of prompts could not be read: ${failure?.message ?? ''}`)
    else {
      prompts = cleanPrompts(options.name, list)
      changed()
    }
  }

  const running = (): Client => {
    if (!client || state !== 'ready') throw new Error(`The MCP server ${options.name} is not running`)
    return client
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
    get prompts() {
      return state === 'ready' ? prompts : []
    },
    get protocol() {
      return client?.getNegotiatedProtocolVersion()
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
        // Later servers ask for the folder within the call.
        if (which.getProtocolEra() === 'legacy') await roots.enter(folder, () => which.sendRootsListChanged())
        else roots.set(folder)
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
        if (signInNeeded(failure) && client === which) {
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
    prompt: async (name, args, signal) =>
      promptMessage(await running().getPrompt({ name, arguments: args }, { signal, timeout: readMs })),
    resources: async (signal) => {
      const which = running()
      if (!which.getServerCapabilities()?.resources) return []
      return (await which.listResources(undefined, { signal, timeout: readMs })).resources
    },
    read: async (uri, signal) => {
      const { contents } = await running().readResource({ uri }, { signal, timeout: readMs })
      return contents.map(attachmentOf)
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
