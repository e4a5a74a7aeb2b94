import type { Client } from '@modelcontextprotocol/client'
import { createConnectionState } from './connection-state'
import type { Connection, ConnectionOptions } from './connection-types'
import { isCutOff, isLoss, messageOf, signInNeeded } from './failures'
import { createRoots } from './roots'
import { transportOf } from './server-config'
import { createServerLink } from './server-link'
import { createServerLists } from './server-lists'
import { createServerQuestions } from './server-questions'
import { callTool, createReading } from './server-requests'

/** One server: kept running, and called. */
export function createConnection(options: ConnectionOptions): Connection {
  const { name, changed } = options
  const kind = transportOf(options.config)
  const rest = kind === 'none' ? 'skipped' : 'off'
  const state = createConnectionState(rest, options)
  const { log } = state
  const lists = createServerLists(name, log, () => state.become('ready'), changed)
  const questions = createServerQuestions(name, (words) => log('deckhand', words))
  const roots = createRoots(options.root)
  const link = createServerLink(options, { kind, state, lists, questions, roots })

  const running = (): Client => {
    if (!link.client || state.now !== 'ready') throw new Error(`The MCP server ${name} is not running`)
    return link.client
  }

  /** What a failed call says about the server, and the error that the caller sees. */
  const afterFailedCall = (which: Client, failure: unknown, aborted: boolean): unknown => {
    if (signInNeeded(failure)) link.shutOut(which)
    // An HTTP connection does not report its end: its loss only shows when a call fails.
    if (kind === 'http' && isLoss(failure) && !aborted)
      link.drop(which, `The server cannot be reached: ${messageOf(failure)}`)
    if (kind !== 'stdio' || !isCutOff(failure) || aborted) return failure
    const ended = state.withLastWords(`The MCP server ${name} ended in the middle of this call`)
    return new Error(`${ended}. Whether the call had an effect is not known. The server is being started again.`, {
      cause: failure,
    })
  }

  return {
    get state() {
      return state.now
    },
    get error() {
      return state.error
    },
    get restarts() {
      return Math.max(0, link.server.starts - 1)
    },
    get pid() {
      return link.server.pid
    },
    get serverName() {
      return link.server.name
    },
    get tools() {
      return lists.tools
    },
    get toolsNote() {
      return lists.note
    },
    get prompts() {
      return state.now === 'ready' ? lists.prompts : []
    },
    get protocol() {
      return link.client?.getNegotiatedProtocolVersion()
    },
    start: async () => {
      if (kind === 'none') return state.become('skipped', 'It has neither a command nor an address, so it is skipped')
      await link.connect()
    },
    untilTried: state.untilTried,
    async call(tool, args, call) {
      const which = link.client
      if (!which || state.now !== 'ready') throw new Error('The server is not running')
      try {
        return await callTool(which, { questions, roots }, tool, args, call)
      } catch (failure) {
        throw afterFailedCall(which, failure, call.signal.aborted)
      }
    },
    ...createReading(running),
    close: () => link.close(rest),
  }
}
