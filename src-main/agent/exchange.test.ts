import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { exchange } from './exchange'

/** A server below HTTP: `answer` gets each request with its number, and the bare connection. */
const serveRaw = async (answer: (connection: Socket, request: number) => void) => {
  const open = new Set<Socket>()
  let requests = 0
  const server = createServer((connection) => {
    open.add(connection)
    connection.on('error', () => {}).on('data', () => answer(connection, ++requests))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => open.size,
    async [Symbol.asyncDispose]() {
      for (const connection of open) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const ask = async (address: string): Promise<string> => {
  const { body } = await exchange(address, { headers: {}, body: '{}', signal: new AbortController().signal })
  return text(body)
}

test('a connection is used again, and replaced when the server had given it up', async () => {
  await using server = await serveRaw((connection, request) => {
    if (request === 3) connection.resetAndDestroy()
    else connection.write(ok(`answer ${request}`))
  })
  expect([await ask(server.address), await ask(server.address)]).toEqual(['answer 1', 'answer 2'])
  expect(server.connections()).toBe(1)
  expect(await ask(server.address)).toBe('answer 4')
  expect(server.connections()).toBe(2)
})

test('a connection that breaks at its first request is not tried again', async () => {
  let requests = 0
  await using server = await serveRaw((connection) => {
    requests++
    connection.resetAndDestroy()
  })
  await expect(ask(server.address)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toBe(1)
})

test('an abort ends the wait for an answer, and the answer itself', async () => {
  await using server = await serveRaw((connection, request) => {
    if (request === 2) connection.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun')
  })
  const silent = new AbortController()
  const waiting = exchange(server.address, { headers: {}, body: '{}', signal: silent.signal })
  setTimeout(() => silent.abort(), 20)
  await expect(waiting).rejects.toThrow()

  const begun = new AbortController()
  const { body } = await exchange(server.address, { headers: {}, body: '{}', signal: begun.signal })
  begun.abort()
  await expect(text(body)).rejects.toThrow()
})
