import type { HostMessage, HostReply, HostRequest } from '../pty-host/messages'
import { type Screen, SecretInputError } from './node'

/** A host that takes longer is stuck, however busy the machine is. */
const REPLY_MS = 60_000

type RequestWithReply = Extract<HostRequest, { requestId: number }>
type WithoutId<R> = R extends unknown ? Omit<R, 'requestId'> : never
type Answer = Extract<HostMessage, { requestId: number }>

/** Requests to the terminal host that wait for a reply. */
export function createHostRequests(post: (request: HostRequest) => void, replyMs = REPLY_MS) {
  const replies = new Map<number, { resolve(value: HostReply): void; reject(error: Error): void }>()
  let lastRequest = 0

  /** A reply that comes after the caller has given up goes to `late`. */
  const ask = (
    request: WithoutId<RequestWithReply>,
    { ms = replyMs, late }: { ms?: number; late?: (reply: HostReply) => void } = {},
  ): Promise<HostReply> => {
    lastRequest++
    const requestId = lastRequest
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        replies.set(requestId, { resolve: late ?? (() => {}), reject() {} })
        reject(new Error(`The terminal host did not answer within ${ms / 1000} s. If this goes on, restart Deckhand`))
      }, ms).unref()
      replies.set(requestId, {
        resolve(value) {
          clearTimeout(limit)
          resolve(value)
        },
        reject(error) {
          clearTimeout(limit)
          reject(error)
        },
      })
      post({ ...request, requestId })
    })
  }

  return {
    ask,
    async screen(id: string): Promise<Screen> {
      const reply = await ask({ type: 'screen', id })
      if (reply.kind !== 'screen') throw new Error(`Unexpected reply ${reply.kind}`)
      return reply.screen
    },
    settle(answer: Answer): void {
      const waiting = replies.get(answer.requestId)
      replies.delete(answer.requestId)
      if (answer.type === 'reply') waiting?.resolve(answer.value)
      else waiting?.reject(answer.secretInput ? new SecretInputError() : new Error(answer.message))
    },
    failAll(reason: string): void {
      for (const { reject } of replies.values()) reject(new Error(reason))
      replies.clear()
    },
  }
}
