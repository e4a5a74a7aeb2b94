import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { takeBulkFrames } from '../gateway/bulk-frames'
import { maxFrameBytes } from '../gateway/wire'
import { dialSecurely } from './dial'

export const handshakeMs = 15_000

interface SocketEvents {
  /** Anything at all has come. */
  alive(): void
  text(frame: Buffer): void
  /** `release` lets a later frame reuse the memory of this one; calling it is optional. */
  binary(frame: Buffer, release: () => void): void
  /** What the socket writes to, once it is open. */
  opened(stream: Duplex): void
  failed(error: Error): void
  /** `refused`: the gateway does not want this node, which is unlikely to change soon. */
  closed(reason: string, refused: boolean): void
}

/** Connects to the gateway; `null` where it is not wanted any more. Throws `UntrustedGateway`. */
export async function openSocket(
  { url, token, pin }: { url: string; token: string; pin?: string },
  isWanted: () => boolean,
): Promise<WebSocket | null> {
  const { WebSocket: Socket } = await import('ws')
  if (!isWanted()) return null
  const target = new URL(url)
  const dialled = target.protocol === 'wss:' ? await dialSecurely(target, pin, handshakeMs) : null
  if (!isWanted()) {
    dialled?.destroy()
    return null
  }
  return new Socket(url, {
    headers: { Authorization: `Bearer ${token}` },
    handshakeTimeout: handshakeMs,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    followRedirects: false,
    ...(dialled && { createConnection: () => dialled }),
  })
}

export function listenTo(socket: WebSocket, events: SocketEvents): void {
  let refusedStatus: number | null = null
  socket.on('unexpected-response', (_request, response) => {
    refusedStatus = response.statusCode ?? null
    response.resume()
    socket.terminate()
  })
  socket.on('message', (data, isBinary) => {
    events.alive()
    const bytes = data as Buffer
    if (isBinary) events.binary(bytes, () => {})
    else events.text(bytes)
  })
  socket.on('upgrade', ({ socket: raw }) => {
    socket.on('open', () => {
      events.opened(raw)
      takeBulkFrames(raw, { masked: false, onFrame: events.binary })
    })
  })
  socket.on('ping', events.alive)
  socket.on('error', events.failed)
  socket.on('close', (code, why) => {
    const reason = refusedStatus ? `The gateway answered ${refusedStatus}` : why.toString() || `closed with ${code}`
    events.closed(reason, refusedStatus === 401 || refusedStatus === 403 || code === 4001)
  })
}
