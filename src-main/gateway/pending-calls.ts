import { randomUUID } from 'node:crypto'
import type { Display } from '../../src-preload/contract/tool-calls'
import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import { type Permit, permitMs } from './wire'

const maxPending = 256
const rememberedLate = 1000

interface Pending {
  link: NodeLink
  resolve(value: unknown): void
  reject(error: Error): void
  onShow?: (display: Display, progress?: string) => void
}

interface AskOptions {
  event: string
  payload: (callId: string, permit: Permit) => object
  timeoutMs?: number
  signal?: AbortSignal
  onAbort?: (link: NodeLink, callId: string) => void
  onShow?: Pending['onShow']
}

/** Calls that nodes have not answered yet. When a node disconnects, all its calls fail at once. */
interface PendingCalls {
  /** Resolves with what `settle` passes on: the kind of result that belongs to the event. */
  ask<Result>(nodeId: string, options: AskOptions): Promise<Result>
  /** Handles an answer. Only the connection that got the call may answer it. */
  settle(link: NodeLink, callId: string, use: (call: Pending) => void): { ok: true; dropped?: true }
}

export function createPendingCalls(hub: Pick<Hub, 'link' | 'onLost'>, clock: () => number): PendingCalls {
  const pending = new Map<string, Pending>()
  /** Ids of calls that were given up, to tell a late result from an unknown id. */
  const late = new Set<string>()

  const forget = (callId: string): void => {
    pending.delete(callId)
    late.add(callId)
    const [oldest] = late
    if (late.size > rememberedLate && oldest !== undefined) late.delete(oldest)
  }

  hub.onLost((link, reason) => {
    for (const call of [...pending.values()]) if (call.link.peer === link.peer) call.reject(lostError(link.id, reason))
  })

  return {
    settle: (link, callId, use) => {
      const call = pending.get(callId)
      if (!call || call.link.peer !== link.peer) {
        if (late.has(callId)) return { ok: true, dropped: true }
        throw new GatewayError(404, `Unknown call: ${callId}`)
      }
      use(call)
      return { ok: true }
    },
    ask<Result>(nodeId: string, { timeoutMs, signal, ...options }: AskOptions): Promise<Result> {
      const link = hub.link(nodeId)
      if (!link) return Promise.reject(new GatewayError(503, `Node ${nodeId} is not connected`))
      if ([...pending.values()].filter((call) => call.link === link).length >= maxPending) {
        return Promise.reject(new GatewayError(429, `Node ${nodeId} has too many calls to answer`))
      }
      signal?.throwIfAborted()
      const callId = randomUUID()
      return new Promise((resolve, reject) => {
        const done = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
          forget(callId)
        }
        const giveUp = (reason: unknown): void => {
          done()
          options.onAbort?.(link, callId)
          reject(reason)
        }
        const abort = (): void => giveUp(signal?.reason)
        const timer =
          timeoutMs === undefined
            ? undefined
            : setTimeout(() => giveUp(new GatewayError(504, `Node ${nodeId} did not answer in time`)), timeoutMs)
        signal?.addEventListener('abort', abort, { once: true })
        pending.set(callId, {
          link,
          resolve: (value) => {
            done()
            resolve(value as Result)
          },
          reject: (error) => {
            done()
            reject(error)
          },
          onShow: options.onShow,
        })
        const permit = { connectionId: link.peer.connectionId, expiresAt: clock() + permitMs }
        link.peer.event(options.event, options.payload(callId, permit))
      })
    },
  }
}

const lostError = (nodeId: string, reason: string): GatewayError =>
  new GatewayError(
    503,
    `Node ${nodeId} was lost while it worked on this: ${reason}. It may still be working on it; look before you ask again.`,
  )
