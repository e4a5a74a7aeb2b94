import type { McpState } from '../../src-preload/contract/mcp'
import type { ConnectionOptions } from './connection-types'
import { shownText } from './tool-definition'
import { usefulLine } from './useful-line'

const keptWords = 60

export type ConnectionState = ReturnType<typeof createConnectionState>

/** The state of a connection, who waits for an attempt to finish, and what the server wrote to stderr. */
export function createConnectionState(first: McpState, { log, changed }: Pick<ConnectionOptions, 'log' | 'changed'>) {
  let state = first
  let error: string | undefined
  /** Since the server's start; explains more than the fact that it ended. */
  let stderr: string[] = []
  /** Why we ended it, which explains more still. */
  let ending = ''
  const waiting = new Set<() => void>()

  const wakeAll = (): void => {
    for (const wake of waiting) wake()
    waiting.clear()
  }

  const note: ConnectionOptions['log'] = (from, text) => {
    if (from === 'stderr') stderr = [...stderr, text].slice(-keptWords)
    log(from, text)
  }

  return {
    get now() {
      return state
    },
    get error() {
      return error
    },
    log: note,
    become(next: McpState, words?: string): void {
      state = next
      error = words
      if (next === 'starting') [stderr, ending] = [[], '']
      if (words) note('deckhand', words)
      changed()
      if (next !== 'starting') wakeAll()
    },
    /** For a connection that nobody watches any more. */
    end(last: McpState): void {
      state = last
      wakeAll()
    },
    untilTried: (): Promise<void> =>
      state === 'starting' || state === 'waiting' ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve(),
    noteEnding: (why: string): void => {
      ending = why
      note('deckhand', why)
    },
    withLastWords: (words: string): string => {
      if (ending) return `${words}. ${ending}`
      const said = shownText(usefulLine(stderr), 300)
      return said ? `${words}. It said: ${said}` : words
    },
  }
}
