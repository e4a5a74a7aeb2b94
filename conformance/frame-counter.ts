import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Server } from 'node:net'

interface FrameCount {
  text: number
  binary: number
  /** Payload of the binary ones. */
  binaryBytes: number
}

/** A listener in the middle of a connection: passes every byte on, and counts the WebSocket frames that go by. */
export async function openFrameCounter(
  target: string,
): Promise<{ url: string; sent: FrameCount; received: FrameCount; close(): void }> {
  const { hostname, port, pathname } = new URL(target)
  const sent = { text: 0, binary: 0, binaryBytes: 0 }
  const received = { text: 0, binary: 0, binaryBytes: 0 }
  const server: Server = createServer((client) => {
    const gateway = dial(Number(port), hostname)
    const [out, back] = [counter(sent), counter(received)]
    let greeted = false
    client.on('data', (chunk) => {
      out(chunk)
      // The gateway only answers to its own name.
      const named = greeted ? chunk : chunk.toString('latin1').replace(/^host: .*$/im, `Host: ${hostname}:${port}`)
      greeted = true
      gateway.write(named, 'latin1')
    })
    gateway.on('data', (chunk) => {
      back(chunk)
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      one.on('close', () => other.destroy())
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    sent,
    received,
    close: () => server.close(),
  }
}

/** Reads the stream of one direction: first the HTTP head, then frame after frame. */
function counter(count: FrameCount): (chunk: Buffer) => void {
  let head = Buffer.alloc(0)
  let upgraded = false
  let skip = 0
  return (chunk) => {
    let rest = chunk
    for (;;) {
      const passed = Math.min(skip, rest.length)
      skip -= passed
      rest = rest.subarray(passed)
      if (rest.length === 0) return
      head = Buffer.concat([head, rest])
      rest = Buffer.alloc(0)
      if (!upgraded) {
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        upgraded = true
        rest = head.subarray(end + 4)
        head = Buffer.alloc(0)
        continue
      }
      const frame = readHead(head)
      if (!frame) return
      if (frame.opcode === 1) count.text++
      if (frame.opcode === 2) {
        count.binary++
        count.binaryBytes += frame.length
      }
      rest = head.subarray(frame.headBytes)
      head = Buffer.alloc(0)
      skip = frame.length
    }
  }
}

function readHead(bytes: Buffer): { opcode: number; length: number; headBytes: number } | null {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return null
  const short = second & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const headBytes = 2 + lengthBytes + (second & 0x80 ? 4 : 0)
  if (bytes.length < headBytes) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  return { opcode: first & 0x0f, length, headBytes }
}
