import type * as acp from '@agentclientprotocol/sdk'
import { isRecord } from '../is-record'
import { type HostedUpdate, readUpdate } from './updates'

const mostEarly = 200

/**
 * What an agent tells of its session. It is taken out of the stream before the SDK sees it: in its order, and without
 * the SDK's complaints about what it does not know.
 */
interface AgentUpdates {
  /** Passes on everything else. */
  readonly stream: TransformStream<acp.AnyMessage, acp.AnyMessage>
  isOurs(sessionId: string): boolean
  lastHeard(): number
  /** Counts as a sign of life. */
  heard(): void
  /** The session that the agent has made; what it told of it before its answer is passed on now. */
  begin(sessionId: string): void
  /** The same for one that branches off another: what the agent replays of the past is known. */
  beginFork(sessionId: string): void
  /** Takes up an earlier session. What the agent replays of its past meanwhile is not passed on. */
  takeUp<Result>(sessionId: string, load: () => Promise<Result>): Promise<Result>
}

export function followUpdates(method: string, pass: (update: HostedUpdate) => void): AgentUpdates {
  let ours: string | null = null
  let replaying = false
  let early: NonNullable<ReturnType<typeof readUpdate>>[] = []
  let heard = performance.now()
  const begin = (sessionId: string): void => {
    ours = sessionId
    for (const { sessionId: id, update } of early) if (id === ours && update) pass(update)
    early = []
  }
  return {
    stream: new TransformStream({
      transform(message, rest) {
        heard = performance.now()
        if (!isRecord(message) || !('method' in message) || message.method !== method || 'id' in message) {
          rest.enqueue(message)
          return
        }
        const read = readUpdate(message.params)
        if (!read?.update || replaying) return
        if (read.sessionId === ours) pass(read.update)
        else if (ours === null && early.length < mostEarly) early.push(read)
      },
    }),
    isOurs: (sessionId) => sessionId === ours,
    lastHeard: () => heard,
    heard: () => {
      heard = performance.now()
    },
    begin,
    beginFork: (sessionId) => {
      early = early.filter(({ update }) => update?.sessionUpdate === 'available_commands_update')
      begin(sessionId)
    },
    takeUp: async (sessionId, load) => {
      ours = sessionId
      replaying = true
      try {
        return await load()
      } finally {
        replaying = false
      }
    },
  }
}
