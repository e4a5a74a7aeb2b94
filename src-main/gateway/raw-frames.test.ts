import { afterEach, beforeEach, expect, it } from 'vitest'
import { type GatewayBench, greeting, openBench, openRaw, until } from './test-bench'

let bench: GatewayBench
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.close())

/** One frame as a client sends it: masked, with a mask of zeros, so that the bytes stay unchanged. */
function frame(head: number, payload: Buffer, { masked = true } = {}): Buffer {
  const length =
    payload.length < 126 ? Buffer.from([payload.length]) : Buffer.from([126, payload.length >> 8, payload.length & 255])
  if (masked) length.writeUInt8(length.readUInt8(0) | 0x80, 0)
  return Buffer.concat([Buffer.from([head]), length, ...(masked ? [Buffer.alloc(4)] : []), payload])
}

const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

it.each<[string, (write: (bytes: Buffer) => void, send: (text: string) => void) => void]>([
  ['text that is not UTF-8', (write) => write(frame(0x81, Buffer.from([0xff, 0xfe, 0xc3, 0x28])))],
  ['a continuation of nothing', (write) => write(frame(0x80, Buffer.from('x')))],
  [
    'fragments without end',
    (write) => {
      write(frame(0x01, Buffer.from('{')))
      for (let count = 0; count < 5000; count++) write(frame(0x00, Buffer.from('x'.repeat(100))))
    },
  ],
  ['a reserved bit', (write) => write(frame(0xf1, Buffer.from('{}')))],
  ['an unknown opcode', (write) => write(frame(0x8b, Buffer.alloc(0)))],
  ['a frame without a mask', (write) => write(frame(0x81, Buffer.from('{}'), { masked: false }))],
  ['a control frame that is too long', (write) => write(frame(0x89, Buffer.alloc(200)))],
  ['a close with a code that does not exist', (write) => write(frame(0x88, Buffer.from([0x03, 0xe7])))],
  [
    'a flood of pings',
    (write) => {
      for (let count = 0; count < 20_000; count++) write(frame(0x89, Buffer.from('ping')))
    },
  ],
  ['JSON that is nested without end', (_write, send) => send(nested)],
  ['a nested request', (_write, send) => send(`{"type":"req","id":"1","method":"tools.list","params":${nested}}`)],
  ['binary noise', (write) => write(frame(0x82, Buffer.alloc(100, 0xaa)))],
  [
    'a length that is a lie',
    (write) => write(Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  ],
])('outlives %s', async (_, attack) => {
  const url = await bench.url()
  const { token } = bench.gateway.add({ id: 'server' })
  const bad = await openRaw(url, token)
  expect(await bad.request('connect', greeting('server'))).toMatchObject({ ok: true })
  const { _socket: pipe } = bad.socket as unknown as { _socket: { write(bytes: Buffer): void } }
  attack(
    (bytes) => pipe.write(bytes),
    (text) => bad.send(text),
  )
  const good = await openRaw(url, bench.gateway.add({ id: 'other' }).token)
  expect(await good.request('connect', greeting('other'))).toMatchObject({ ok: true })
  await until(() => bench.gateway.isConnected('other'))
  expect(await good.request('tools.list')).toMatchObject({ ok: true })
})
