import type { ResponseFrame, WireError } from '../gateway/wire'

/** An error response of the gateway. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

/** Requests to the gateway, and those of them that wait for their responses. */
interface Requests {
  /** Sends a request without waiting for the response. */
  send(method: string, params: object): string
  /** `onAnswer` is called before the next frame is handled, which may arrive in the same chunk of data. */
  ask(method: string, params: object, timeoutMs: number, onAnswer?: (value: unknown) => void): Promise<unknown>
  settle(frame: ResponseFrame): void
  failAll(reason: string): void
}

export function createRequests(write: (text: string) => void): Requests {
  const pending = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0

  const send: Requests['send'] = (method, params) => {
    const id = String(++lastId)
    write(JSON.stringify({ type: 'req', id, method, params }))
    return id
  }

  return {
    send,
    ask: (method, params, timeoutMs, onAnswer) =>
      new Promise((resolve, reject) => {
        const id = send(method, params)
        const timer = setTimeout(() => {
          pending.delete(id)
          reject(new Error(`The gateway did not answer ${method}`))
        }, timeoutMs)
        const settled =
          <T>(use: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            pending.delete(id)
            use(value)
          }
        const answered = (value: unknown): void => {
          onAnswer?.(value)
          resolve(value)
        }
        pending.set(id, { resolve: settled(answered), reject: settled(reject) })
      }),
    settle: (frame) => {
      const waiting = pending.get(String(frame.id))
      if (frame.ok) waiting?.resolve(frame.payload)
      else waiting?.reject(refusalOf(frame.error))
    },
    failAll: (reason) => {
      for (const { reject } of pending.values()) reject(new Error(reason))
      pending.clear()
    },
  }
}

const refusalOf = (error: WireError | undefined): Refusal =>
  new Refusal(error?.code ?? 500, error?.message ?? 'Refused')
