import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createBulkReader, smallestBulk, takeBulkFrames } from './bulk-frames'

interface FrameParts {
  payload: Buffer
  opcode?: number
  fin?: boolean
  mask?: Buffer | null
}

function encode({ payload, opcode = 2, fin = true, mask = Buffer.alloc(4, 0x5a) }: FrameParts): Buffer {
  const length = Buffer.alloc(payload.length < 126 ? 1 : payload.length < 65536 ? 3 : 9)
  if (length.length === 1) length[0] = payload.length
  else if (length.length === 3) {
    length[0] = 126
    length.writeUInt16BE(payload.length, 1)
  } else {
    length[0] = 127
    length.writeBigUInt64BE(BigInt(payload.length), 1)
  }
  if (mask) length[0] = (length[0] ?? 0) | 0x80
  const masked = mask ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode]), length, mask ?? Buffer.alloc(0), masked])
}

/** What the reader produced, in order: whole bulk frames, and pieces that it passed on. */
function readAll(stream: Buffer, cuts: (left: number) => number, masked = true) {
  const seen: { kind: 'frame' | 'passed'; parts: Buffer[] }[] = []
  const read = createBulkReader({
    masked,
    pass(bytes) {
      const last = seen.at(-1)
      if (last?.kind === 'passed') last.parts.push(bytes)
      else seen.push({ kind: 'passed', parts: [bytes] })
    },
    onFrame(frame, release) {
      seen.push({ kind: 'frame', parts: [Buffer.from(frame)] })
      release()
    },
  })
  for (let at = 0; at < stream.length; ) {
    const count = cuts(stream.length - at)
    read(stream.subarray(at, at + count))
    at += count
  }
  return seen.map(({ kind, parts }) => ({ kind, bytes: Buffer.concat(parts) }))
}

const big = randomBytes(smallestBulk + 3)
const bigger = randomBytes(70_001)
const small = encode({ payload: randomBytes(100) })
const text = encode({ payload: Buffer.alloc(40_000, 'x'), opcode: 1 })
const ping = encode({ payload: Buffer.from('ping'), opcode: 9 })

it.each<[string, (left: number) => number]>([
  ['in one piece', (left) => left],
  ['byte by byte', () => 1],
  ['in odd pieces', () => 1 + Math.floor(Math.random() * 5000)],
])('takes large binary frames and passes the rest on, %s', (_, cuts) => {
  const stream = Buffer.concat([
    small,
    text,
    encode({ payload: big }),
    encode({ payload: bigger, mask: Buffer.alloc(4) }),
    ping,
    small,
    encode({ payload: big, mask: Buffer.from([1, 2, 3, 4]) }),
    text,
  ])
  const kinds = readAll(stream, cuts).map(({ kind, bytes }) => [kind, bytes.toString('base64')])
  expect(kinds).toEqual(
    [
      ['passed', Buffer.concat([small, text])],
      ['frame', big],
      ['frame', bigger],
      ['passed', Buffer.concat([ping, small])],
      ['frame', big],
      ['passed', text],
    ].map(([kind, bytes]) => [kind, (bytes as Buffer).toString('base64')]),
  )
})

it.each<[string, FrameParts[]]>([
  ['without the mask that is due', [{ payload: big, mask: null }]],
  ['in the midst of fragments', [{ payload: Buffer.from('x'), opcode: 1, fin: false }, { payload: big }]],
  ['that is itself a fragment', [{ payload: big, fin: false }]],
  ['that is longer than a piece of a file', [{ payload: randomBytes(600_000) }]],
])('leaves a frame to the library %s', (_, frames) => {
  const stream = Buffer.concat(frames.map(encode))
  const seen = readAll(stream, () => 10_000)
  expect(seen.map(({ kind }) => kind)).toEqual(['passed'])
  expect(seen[0]?.bytes.equals(stream)).toBe(true)
})

it('goes round with the memory that is given back, and leaves alone what is not', () => {
  const held: Buffer[] = []
  let keep = true
  const memories = new Set<ArrayBufferLike>()
  const read = createBulkReader({
    masked: true,
    pass: () => {},
    onFrame(frame, release) {
      memories.add(frame.buffer)
      if (keep) held.push(frame)
      else release()
    },
  })
  read(encode({ payload: big }))
  keep = false
  for (let count = 0; count < 10; count++) read(encode({ payload: bigger }))
  expect(memories.size).toBe(2)
  expect(held[0]?.equals(big)).toBe(true)
})

it('stands between a real socket and the library', async () => {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server = new WebSocketServer({ noServer: true })
  const heard: string[] = []
  const note = (who: string, what: string, bytes: Buffer) => heard.push(`${who} ${what} ${bytes.length}`)
  const done = Promise.withResolvers<void>()
  http.on('upgrade', (request, socket, head) => {
    server.handleUpgrade(request, socket, head, (peer) => {
      takeBulkFrames(request.socket, { masked: true, onFrame: (frame) => note('server', 'bulk', frame) })
      peer.on('message', (data: Buffer) => {
        note('server', 'message', data)
        for (const size of [50, 100_000, 10]) peer.send(Buffer.alloc(size))
        peer.close(1000)
      })
    })
  })
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  client.on('upgrade', ({ socket }) => {
    client.on('open', () =>
      takeBulkFrames(socket, { masked: false, onFrame: (frame) => note('client', 'bulk', frame) }),
    )
  })
  client.on('message', (data: Buffer) => note('client', 'message', data))
  client.on('open', () => {
    for (const size of [200_000, 60_000, 5]) client.send(Buffer.alloc(size))
  })
  client.on('close', () => done.resolve())
  await done.promise
  http.close()
  expect(heard).toEqual([
    'server bulk 200000',
    'server bulk 60000',
    'server message 5',
    'client message 50',
    'client bulk 100000',
    'client message 10',
  ])
})
