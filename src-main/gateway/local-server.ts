import type { Socket } from 'node:net'
import type { Logger } from '../log'
import { GatewayError } from './errors'
import type { Gateway } from './gateway'
import { listenLocally } from './local-socket'
import { type LocalAnswer, type LocalNodes, type LocalRequest, localRequest, readLinesOf } from './local-wire'

/** Lets other processes of this user use the nodes that are connected here. `null` if another one does so already. */
export const serveLocally = (path: string, gateway: Gateway, log: Logger): Promise<{ close(): void } | null> =>
  listenLocally(path, (socket) => serve(socket, gateway), log)

function serve(socket: Socket, gateway: Gateway): void {
  const running = new Map<number, AbortController>()
  const send = (answer: LocalAnswer): void => void (socket.writable && socket.write(`${JSON.stringify(answer)}\n`))
  const tellNodes = (): void => send({ type: 'nodes', ...nodesOf(gateway) })
  const stopTelling = gateway.onChange(tellNodes)
  socket.on('close', () => {
    stopTelling()
    for (const stop of running.values()) stop.abort(new Error('Whoever asked is gone'))
  })
  readLinesOf(socket, (text) => {
    const request = readRequest(text)
    if (!request) return void socket.destroy()
    if (request.method === 'cancel') return running.get(request.id)?.abort(new Error('Cancelled'))
    const stop = new AbortController()
    running.set(request.id, stop)
    answer(gateway, request, stop.signal, send)
      .then((result) => send({ type: 'done', id: request.id, result }))
      .catch((error: Error) => {
        const code = error instanceof GatewayError ? error.code : 500
        send({ type: 'failed', id: request.id, code, message: error.message })
      })
      .finally(() => running.delete(request.id))
  })
  tellNodes()
}

function answer(
  gateway: Gateway,
  request: Exclude<LocalRequest, { method: 'cancel' }>,
  signal: AbortSignal,
  send: (answer: LocalAnswer) => void,
): Promise<unknown> {
  const { id, nodeId } = request
  if (request.method === 'logs') return gateway.logs(nodeId, { lines: request.lines })
  if (request.method === 'probe')
    return gateway.probe(nodeId, request.bins, {
      timeoutMs: request.timeoutMs,
    })
  const { tool, args, sessionId, resultBytes, env } = request
  const call = {
    ...{ nodeId, tool, args, sessionId, signal },
    resultBytes,
    env,
  }
  if (request.method === 'preview') return gateway.preview(call)
  return gateway.invoke({
    ...call,
    onShow: (display, progress) => send({ type: 'show', id, display, progress }),
  })
}

function nodesOf(gateway: Gateway): LocalNodes {
  const nodes = gateway.nodes()
  return {
    nodes,
    tools: Object.fromEntries(nodes.map(({ id }) => [id, gateway.tools(id)])),
    homes: Object.fromEntries(nodes.flatMap(({ id }) => [[id, gateway.home(id)]]).filter(([, home]) => home)),
  }
}

function readRequest(text: string): LocalRequest | null {
  try {
    return localRequest.parse(JSON.parse(text))
  } catch {
    // Not one of our clients.
    return null
  }
}
