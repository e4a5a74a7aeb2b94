import type { Display } from '../../src-preload/contract/tool-calls'
import { GatewayError } from './errors'
import type { Gateway } from './gateway'
import type { InvokeOutcome, InvokeRequest } from './invoke'
import { openLocally } from './local-socket'
import { type LocalAnswer, type LocalNodes, type LocalRequest, readLinesOf } from './local-wire'

const answerMs = 5_000

/** The part of a gateway that is available to a process that does not serve the nodes itself. */
export interface LocalClient
  extends Pick<
    Gateway,
    'nodes' | 'tools' | 'isConnected' | 'invoke' | 'preview' | 'logs' | 'probe' | 'home' | 'onChange'
  > {
  close(): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
  onShow?(display: Display, progress?: string): void
}

/** Connects to the gateway that another process of this user serves for this data folder; `null` if there is none. */
export async function joinLocally(path: string): Promise<LocalClient | null> {
  const socket = await openLocally(path)
  if (!socket) return null
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<() => void>()
  let known: LocalNodes = { nodes: [], tools: {}, homes: {} }
  let lastId = 0
  const first = Promise.withResolvers<boolean>()

  readLinesOf(socket, (text) => {
    const message: LocalAnswer = JSON.parse(text)
    if (message.type === 'nodes') {
      known = message
      first.resolve(true)
      for (const listener of listeners) listener()
      return
    }
    const asked = waiting.get(message.id)
    if (message.type === 'show') return asked?.onShow?.(message.display, message.progress)
    waiting.delete(message.id)
    if (message.type === 'done') asked?.resolve(message.result)
    else asked?.reject(new GatewayError(message.code as GatewayError['code'], message.message))
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    first.resolve(false)
    known = { ...known, nodes: known.nodes.map((node) => ({ ...node, state: 'disconnected' })), tools: {} }
    const gone = new GatewayError(
      503,
      'The gateway that serves the nodes has ended; what ran there may still be running',
    )
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
    for (const listener of listeners) listener()
  })
  const timer = setTimeout(() => first.resolve(false), answerMs)
  const answers = await first.promise
  clearTimeout(timer)
  if (!answers) {
    socket.destroy()
    return null
  }

  const ask = <T>(
    request: WithoutId<Exclude<LocalRequest, { method: 'cancel' }>>,
    { signal, onShow }: Pick<InvokeRequest, 'signal' | 'onShow'> = {},
  ): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (socket.destroyed) return reject(new GatewayError(503, 'The gateway that serves the nodes has ended'))
      const id = ++lastId
      const abort = () => {
        waiting.delete(id)
        socket.write(`${JSON.stringify({ id, method: 'cancel' })}\n`)
        reject(signal?.reason)
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const settled =
        <V>(use: (value: V) => void) =>
        (value: V) => {
          signal?.removeEventListener('abort', abort)
          use(value)
        }
      waiting.set(id, {
        resolve: settled((result) => resolve(result as T)),
        reject: settled(reject),
        onShow,
      })
      socket.write(`${JSON.stringify({ ...request, id })}\n`)
    })

  return {
    nodes: () => known.nodes,
    tools: (id) => (Object.hasOwn(known.tools, id) ? (known.tools[id] ?? []) : []),
    home: (id) => (Object.hasOwn(known.homes, id) ? known.homes[id] : undefined),
    isConnected: (id) => known.nodes.some((node) => node.id === id && node.state === 'connected'),
    invoke: ({ signal, onShow, ...request }) =>
      ask<InvokeOutcome>(
        { method: 'invoke', ...request, ...(request.env && { env: { ...request.env } }) },
        { signal, onShow },
      ),
    preview: ({ signal, onShow: _, ...request }) =>
      ask<InvokeOutcome | null>(
        { method: 'preview', ...request, ...(request.env && { env: { ...request.env } }) },
        { signal },
      ),
    logs: (nodeId, { lines } = {}) => ask({ method: 'logs', nodeId, lines }),
    probe: (nodeId, bins, { timeoutMs } = {}) => ask({ method: 'probe', nodeId, bins: [...bins], timeoutMs }),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => socket.destroy(),
  }
}

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never
