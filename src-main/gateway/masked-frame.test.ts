import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openFrameMemory } from './frame-memory'
import { maskedFrame } from './masked-frame'

test('a server reads masked frames of every length, and no two have the same mask', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const payloads = [0, 1, 3, 15, 16, 17, 125, 126, 65_535, 65_536, 300_001].flatMap((length) => {
    const bytes = randomBytes(length)
    return [bytes, bytes]
  })
  const [memory] = openFrameMemory(1, 300_001)
  if (!memory) throw new Error('There is no memory for frames')
  try {
    const received = new Promise<Buffer[]>((resolve, reject) => {
      const all: Buffer[] = []
      sockets.on('connection', (socket) => {
        socket.on('error', reject)
        socket.on('message', (data) => {
          all.push(data as Buffer)
          if (all.length === payloads.length) resolve(all)
        })
      })
    })
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write(
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    await new Promise((done) => client.once('data', done))
    for (const [index, payload] of payloads.entries()) {
      // Every second one is masked in place.
      if (index % 2 === 0) client.write(maskedFrame(payload))
      else {
        payload.copy(memory)
        await new Promise((sent) => client.write(maskedFrame(memory.subarray(0, payload.length)), sent))
      }
    }
    expect((await received).map((each, index) => each.equals(payloads[index] ?? Buffer.alloc(0)))).toEqual(
      payloads.map(() => true),
    )
    client.destroy()
  } finally {
    sockets.close()
    server.close()
  }
  const masks = new Set(Array.from({ length: 20 }, () => maskedFrame(Buffer.alloc(4)).subarray(2, 6).toString('hex')))
  expect(masks.size).toBeGreaterThan(18)
  expect(masks).not.toContain('00000000')
})
