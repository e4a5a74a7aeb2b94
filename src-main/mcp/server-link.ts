import type { Client, Transport } from '@modelcontextprotocol/client'
import type { McpState } from '../../src-preload/contract/mcp'
import type { ConnectionState } from './connection-state'
import type { ConnectionOptions } from './connection-types'
import { messageOf, signInNeeded } from './failures'
import { type Era, makeClient, mayBeOlder } from './open-client'
import { openTransport } from './open-transport'
import type { createRoots } from './roots'
import type { transportOf } from './server-config'
import type { createServerLists } from './server-lists'
import type { createServerQuestions } from './server-questions'
import { SignInNeeded } from './sign-ins'

const usualBackoffMs = 1000

const longestBackoffMs = 60_000

const mostTries = 6

/** A server that ran this long counts as working; its next failure counts as the first. */
const steadyMs = 60_000

interface LinkParts {
  kind: ReturnType<typeof transportOf>
  state: ConnectionState
  lists: ReturnType<typeof createServerLists>
  questions: ReturnType<typeof createServerQuestions>
  roots: ReturnType<typeof createRoots>
}

const connectMs = 30_000

/** Keeps one client connected to its server: starts it, and restarts it after it was lost. */
export function createServerLink(options: ConnectionOptions, { kind, state, lists, questions, roots }: LinkParts) {
  const { log } = state
  const retries = createRetries(() => void connect(), options.backoffMs)
  let client: Client | null = null
  let transport: (Transport & { readonly pid?: number | undefined }) | null = null
  let era: Era = 'auto'
  let serverName: string | undefined
  let starts = 0
  let closed = false

  const connect = async (): Promise<void> => {
    starts++
    state.become('starting')
    const { takeTools: onTools, takePrompts: onPrompts } = lists
    const made = await makeClient({ ...options, era, transport: kind, questions, roots, log, onTools, onPrompts })
    client = made
    try {
      transport = await openTransport({ ...options, log }, state.noteEnding)
      if (closed) return
      await made.connect(transport, { timeout: connectMs })
      if (closed) return await made.close()
      made.onclose = () => lost(made, 'The server ended')
      serverName = made.getServerVersion()?.name.slice(0, 100)
      // Known now, so it is not asked again at the next start.
      if (made.getProtocolEra() === 'legacy') era = 'legacy'
      const listed = await lists.read(made, connectMs)
      retries.succeeded()
      lists.takeTools(null, listed)
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

  const leave = (which: Client): Promise<void> => closeQuietly(which, log)

  const lost = (which: Client, words: string): void => {
    if (closed || client !== which) return
    client = null
    retry(words)
  }

  /** Retrying would not help: the user has to sign in. */
  const shutOut = (): void => {
    lists.dropTools()
    transport = null
    retries.startOver()
    state.become('sign-in', new SignInNeeded().message)
  }

  const retry = (reason: string): void => {
    const words = state.withLastWords(reason)
    lists.dropTools()
    transport = null
    const givenUpAfter = retries.failed()
    if (givenUpAfter === null) state.become('waiting', words)
    else state.become('failed', `${words}. It was tried ${givenUpAfter} times.`)
  }

  return {
    get client() {
      return client
    },
    get server() {
      return { pid: transport?.pid, name: serverName, starts }
    },
    connect,
    /** Called when the server has refused this client and requires a sign-in. */
    shutOut(which: Client): void {
      if (client !== which) return
      client = null
      void leave(which)
      shutOut()
    },
    /** Drops a client that was found to be lost, and reconnects. */
    drop(which: Client, words: string): void {
      void leave(which)
      lost(which, words)
    },
    async close(last: McpState): Promise<void> {
      closed = true
      retries.close()
      const [open, opened] = [client, transport]
      client = null
      lists.dropTools()
      state.end(last)
      // The client only knows its transport after the server has answered, but a program that hangs is already running.
      const unknown = open?.transport === undefined ? opened : null
      await Promise.all([open?.close(), unknown?.close()])
    },
  }
}

const closeQuietly = (client: Client, log: LinkParts['state']['log']): Promise<void> =>
  client.close().catch((trouble: unknown) => log('deckhand', `Closing failed: ${String(trouble)}`))

/** When a server that could not be reached is tried again, and when to give up. */
function createRetries(connect: () => void, backoffMs = usualBackoffMs) {
  let failures = 0
  let readyAt = 0
  let timer: NodeJS.Timeout | undefined

  return {
    succeeded: (): void => {
      readyAt = Date.now()
    },
    /** Plans the next attempt. Returns the number of failed ones if there will be none. */
    failed(): number | null {
      failures = readyAt > 0 && Date.now() - readyAt > steadyMs ? 1 : failures + 1
      readyAt = 0
      if (failures >= mostTries) return failures
      timer = setTimeout(connect, Math.min(longestBackoffMs, backoffMs * 2 ** (failures - 1)))
      timer.unref()
      return null
    },
    startOver: (): void => {
      failures = 0
    },
    close: (): void => clearTimeout(timer),
  }
}
