import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Logger } from '../log'

/**
 * Listens for other processes of this user. Only the owner can open the folder and the socket, and could read the data
 * folder anyway. `null` if another process already listens there.
 */
export async function listenLocally(
  path: string,
  onSocket: (socket: Socket) => void,
  log: Logger,
): Promise<{ close(): void } | null> {
  if (await isServed(path)) return null
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    onSocket(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  server.on('error', (error) => log.warn('A local socket failed', { path, error }))
  return {
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(path, { force: true })
    },
  }
}

/** Connects to what another process of this user listens with; `null` if there is none. */
export async function openLocally(path: string): Promise<Socket | null> {
  if (!isOwnSocket(path)) return null
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })

/** A socket that belongs to another user must not be trusted. */
function isOwnSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isSocket() === true && (process.getuid === undefined || found.uid === process.getuid())
}
