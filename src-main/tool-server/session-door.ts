import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Engine } from '../engine'
import { listenLocally } from '../gateway/local-socket'
import { type OwnProgram, ownProgram } from '../own-process'
import { makeTemporaryFolder } from '../temporary'
import { serveTools } from './serve-tools'

/** Our tools for the agent that plays a session: what runs by them belongs to that session. */
interface SessionDoor {
  /** The name that the agent knows them by. Nobody else can know it, so that no other server can take it. */
  name: string
  /** What the agent starts. */
  program: OwnProgram
  /** What it has to be able to read: the folder of the socket, and the program's own, which may lie below /tmp. */
  folders: readonly string[]
  close(): void
}

const mostClients = 8

export async function openSessionDoor(engine: Engine, sessionId: string): Promise<SessionDoor> {
  const { workspace } = engine.store.sessions.get(sessionId)
  const folder = makeTemporaryFolder('tools')
  const path = join(folder, 'tools')
  const stop = new AbortController()
  let clients = 0
  const door = await listenLocally(
    path,
    (socket) => {
      if (clients >= mostClients) return void socket.destroy()
      clients++
      const left = new AbortController()
      socket.once('close', () => {
        clients--
        left.abort()
      })
      const signal = AbortSignal.any([stop.signal, left.signal])
      serveTools(engine, { input: socket, output: socket, workspace, sessionId, signal })
        .catch((error: unknown) => engine.log.warn('Serving tools to a hosted agent failed', { error }))
        .finally(() => socket.destroy())
    },
    engine.log,
  )
  const { argv, env } = ownProgram('tool-relay')
  return {
    name: `deckhand-${randomBytes(3).toString('hex')}`,
    program: { argv: [...argv, path], env },
    folders: [folder, ...argv.filter((word) => isAbsolute(word)).map((file) => dirname(file))],
    close: () => {
      stop.abort()
      door?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
