import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage as HttpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelsEvent } from '../../src-preload/contract/channels'
import { openDatabase } from '../database'
import type { Logger } from '../log'
import { createChannels } from './channels'
import type { ChannelSecrets, IncomingMessage } from './types'

export interface Received {
  method: string
  url: string
  headers: HttpRequest['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was sent
  body: any
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** A real HTTP server whose answers are a function of the request and of how many came before. */
export const serve = async (answer: (request: Received, count: number) => Reply | Promise<Reply>) => {
  const requests: Received[] = []
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const { method = '', url = '', headers } = incoming
    const received = { method, url, headers, text, body: text === '' ? null : JSON.parse(text) }
    requests.push(received)
    const { status = 200, headers: more = {}, body = 'ok' } = await answer(received, requests.length)
    response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Said {
  sessionId: string
  text: string
  origin: { label: string; mayDoAll: boolean }
}

/** Channels with real HTTP and a real database, and sessions that answer as the test says. */
export const createChannelBench = (answer: (text: string) => string = () => 'An answer.') => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-channels-'))
  const closers: (() => Promise<void>)[] = []
  const kept = new Map<string, string>()
  const secrets: ChannelSecrets = {
    has: (name) => kept.has(name),
    get: (name) => kept.get(name) ?? null,
    set: (name, secret) => void kept.set(name, secret),
    remove: (name) => void kept.delete(name),
  }
  let time = Date.now()

  const open = () => {
    const database = openDatabase(folder)
    const events: ChannelsEvent[] = []
    const said: Said[] = []
    const tainted = new Set<string>()
    const shown: { sessionId: string; text: string }[] = []
    const logged: string[] = []
    const log = (message: string, fields?: Record<string, unknown>): void =>
      void logged.push(
        `${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.stack : value))}`,
      )
    const logger: Logger = { debug: log, info: log, warn: log, error: log }
    const channels = createChannels({
      database,
      secrets,
      sessions: {
        find: (name) => (name.startsWith('s_') ? { id: name, key: '', agentId: 'main' } : null),
        forPeer: (agentId: string, message: IncomingMessage, scope) =>
          scope === 'main'
            ? `s_main_of_${agentId}`
            : `s_${agentId}_${scope}_${message.channel}_${message.peerKind}_${message.peer}`,
        main: (agentId) => `s_main_of_${agentId}`,
        say: async (sessionId, text, { origin }) => {
          said.push({ sessionId, text, origin })
          return { reason: 'done', text: answer(text) }
        },
        show: (sessionId, text) => void shown.push({ sessionId, text }),
        taint: (sessionId) => void tainted.add(sessionId),
        homeOf: (sessionId) => (sessionId === 's_job' ? 's_main_of_main' : null),
      },
      publish: (event) => void events.push(event),
      log: logger,
      onSecret: () => {},
      now: () => time,
      backoffMs: 5,
      pollSeconds: 1,
    })
    let isOpen = true
    const close = async (): Promise<void> => {
      if (!isOpen) return
      isOpen = false
      await channels.close()
      database.close()
    }
    closers.push(close)
    return { channels, events, said, tainted, shown, logged, close }
  }

  return {
    secrets: kept,
    open,
    pass: (ms: number): void => {
      time += ms
    },
    now: () => time,
    close: async () => {
      for (const close of closers) await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Polls until `holds` is true; fails by the time limit of the test. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
