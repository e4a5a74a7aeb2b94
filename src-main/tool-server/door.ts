import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Engine } from '../engine'
import { listenLocally, openLocally } from '../gateway/local-socket'
import { localSocketPath } from '../gateway/local-wire'
import { serveTools } from './serve-tools'

/**
 * The way from `deckhand mcp` and `deckhand gate` to a window that runs: a socket that only its owner can open. The first line says what is
 * wanted, the first line back whether it can be had; from then on it is MCP, or one call of a hook. The session has the mode that is set in the window.
 */
const wish = z.strictObject({
  workspace: z.string().min(1).max(4096),
  sessionId: z.string().max(200).optional(),
  sandbox: z.boolean().optional(),
  toolset: z.string().max(100).optional(),
  /** Not tools, but one decision about a call of another agent. */
  gate: z.boolean().optional(),
})
export type Wish = z.output<typeof wish>

const answer = z.union([z.strictObject({ ok: z.literal(true) }), z.strictObject({ error: z.string() })])

const firstLineMs = 5_000
const longestFirstLine = 16 * 1024

const toolSocketPath = (dataDir: string): string => join(dirname(localSocketPath(dataDir)), 'tools')

/** Lets programs use the tools of this engine. `null` if another window of this data folder does so already. */
export function openToolDoor(engine: Engine): Promise<{ close(): void } | null> {
  const stop = new AbortController()
  const gateSessions = new Map<string, string>()
  const greet = async (socket: Socket): Promise<void> => {
    const line = await firstLine(socket)
    const wanted = line === null ? null : wish.safeParse(parseJson(line)).data
    if (!wanted) return void socket.destroy()
    const trouble = await troubleWith(engine, wanted)
    socket.write(`${JSON.stringify(trouble === null ? { ok: true } : { error: trouble })}\n`)
    if (trouble !== null) return void socket.end()
    const { workspace, sessionId, sandbox, toolset } = wanted
    const left = new AbortController()
    socket.once('close', () => left.abort())
    if (wanted.gate) {
      const { answerHook } = await import('../hook-gate/ask-window')
      return answerHook(engine, socket, gateSessions, AbortSignal.any([stop.signal, left.signal]))
    }
    await serveTools(engine, {
      input: socket,
      output: socket,
      workspace,
      sessionId,
      ...(sandbox && { sandbox }),
      toolset,
      signal: AbortSignal.any([stop.signal, left.signal]),
    })
    socket.destroy()
  }
  return listenLocally(
    toolSocketPath(engine.dataDir),
    (socket) =>
      void greet(socket).catch((error: unknown) => {
        engine.log.warn('Serving tools to another program failed', { error })
        socket.destroy()
      }),
    engine.log,
  ).then((door) =>
    door === null
      ? null
      : {
          close: () => {
            stop.abort()
            door.close()
          },
        },
  )
}

async function troubleWith(engine: Engine, { sessionId, sandbox }: Wish): Promise<string | null> {
  if (sessionId !== undefined && !engine.store.sessions.find(sessionId)) return `there is no session ${sessionId}`
  if (!sandbox) return null
  const { available, note } = await engine.sandbox.status()
  return available ? null : note
}

/** Connects to the window that runs on this data folder; `null` without one. Throws with the words of its refusal. */
export async function knockAtWindow(dataDir: string, wanted: Wish): Promise<Socket | null> {
  const socket = await openLocally(toolSocketPath(dataDir))
  if (!socket) return null
  socket.on('error', () => socket.destroy())
  socket.write(`${JSON.stringify(wanted)}\n`)
  const line = await firstLine(socket)
  const said = line === null ? undefined : answer.safeParse(parseJson(line)).data
  if (said && 'ok' in said) return socket
  socket.destroy()
  throw new Error(said ? said.error : 'The window of Deckhand does not answer.')
}

/** What follows the line stays to be read. `null` if none comes in time. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const done = (line: string | null): void => {
      clearTimeout(timer)
      socket.off('readable', onReadable)
      socket.off('close', onClose)
      resolve(line)
    }
    const onClose = (): void => done(null)
    const onReadable = (): void => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        bytes = Buffer.concat([bytes, chunk])
        const end = bytes.indexOf(10)
        if (end !== -1) {
          if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1))
          done(bytes.toString('utf8', 0, end))
          return
        }
        if (bytes.length > longestFirstLine) {
          done(null)
          return
        }
      }
    }
    const timer = setTimeout(() => done(null), firstLineMs)
    socket.on('readable', onReadable)
    socket.once('close', onClose)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not one of our programs; the schema refuses it.
    return null
  }
}
