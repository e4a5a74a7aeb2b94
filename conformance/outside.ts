import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { idHeader, sign, signatureHeader, timestampHeader } from '../src-main/channels/signature'
import type { World } from './world'

export interface Delivered {
  text: string
  to: string
  channel: string
  accountId: string
  peerKind: string
  replyToId?: string
}

export interface Outside {
  /** What has arrived, in order. */
  delivered: Delivered[]
  /** The service refuses what comes, until it is told otherwise. */
  refuses: boolean
  /** A channel that takes messages in and sends them out, by signed requests. */
  addChannel(world: World, channel: string, accountId?: string): void
  /** Somebody writes to the agent. */
  speak(
    world: World,
    message: { channel: string; accountId?: string; sender: string; text: string; peer?: string; peerKind?: string },
  ): Promise<number>
}

const key = 'a signing key that is long enough'

/** The world beyond the app: a service on a real socket that gets messages, and people who write. */
export function openOutside(): Outside {
  let url = ''
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (outside.refuses) {
      response.writeHead(403).end('{"error":"no"}')
      return
    }
    outside.delivered.push(JSON.parse(text) as Delivered)
    response.writeHead(200).end(`{"messageId":"id-${outside.delivered.length}"}`)
  })
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const outside: Outside = {
    delivered: [],
    refuses: false,
    addChannel: ({ engine }, channel, accountId = 'default') => {
      const wish = { channel, accountId, kind: 'webhook' as const, inbound: true, policy: 'open' as const }
      engine.channels.save({ ...wish, url, signingKey: key })
    },
    speak: async ({ engine }, { channel, accountId = 'default', ...message }) => {
      const found = engine.channels
        .view()
        .channels.find((each) => each.channel === channel && each.accountId === accountId)
      if (!found?.inboundUrl) throw new Error(`The channel ${channel} takes nothing in`)
      const body = JSON.stringify(message)
      const [timestamp, id] = [String(Math.floor(Date.now() / 1000)), randomUUID()]
      const headers = {
        [timestampHeader]: timestamp,
        [idHeader]: id,
        [signatureHeader]: sign(key, timestamp, id, body),
      }
      return (await fetch(found.inboundUrl, { method: 'POST', headers, body })).status
    },
  }
  return outside
}
