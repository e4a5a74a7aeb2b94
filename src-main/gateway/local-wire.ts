import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Display } from '../../src-preload/contract/tool-calls'
import type { InvokeOutcome, RemoteTool } from './invoke'

/**
 * The protocol between two processes of the same user and data folder: the one that serves the nodes, and a `run` or
 * `call` that wants to use them. One JSON object per line, over a socket that only its owner can open.
 */
export function localSocketPath(dataDir: string): string {
  const inside = join(dataDir, 'gateway', 'socket')
  if (inside.length <= longestPath) return inside
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return join(tmpdir(), `deckhand-${process.getuid?.() ?? ''}-${name}`, 'socket')
}

/** Socket paths up to this length work on every system. */
const longestPath = 100

const invocation = {
  nodeId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  sessionId: z.string(),
  resultBytes: z.number().optional(),
  env: z.record(z.string(), z.string()).optional(),
}

export const localRequest = z.discriminatedUnion('method', [
  z.object({ id: z.number(), method: z.literal('invoke'), ...invocation }),
  z.object({ id: z.number(), method: z.literal('preview'), ...invocation }),
  z.object({ id: z.number(), method: z.literal('logs'), nodeId: z.string(), lines: z.number().optional() }),
  z.object({
    id: z.number(),
    method: z.literal('probe'),
    nodeId: z.string(),
    bins: z.array(z.string()),
    timeoutMs: z.number().optional(),
  }),
  /** The client no longer waits for the request with this id. */
  z.object({ id: z.number(), method: z.literal('cancel') }),
])

export type LocalRequest = z.output<typeof localRequest>

/** The nodes as the serving process knows them; sent on connect and after every change. */
export interface LocalNodes {
  nodes: NodeInfo[]
  tools: Record<string, RemoteTool[]>
  homes: Record<string, string>
}

export type LocalAnswer =
  | ({ type: 'nodes' } & LocalNodes)
  | { type: 'show'; id: number; display: Display; progress?: string }
  | { type: 'done'; id: number; result: InvokeOutcome | unknown }
  | { type: 'failed'; id: number; code: number; message: string }

const longestLine = 64 * 1024 * 1024

/** Calls back for every line. A peer that sends an overlong line is disconnected. */
export function readLinesOf(socket: Socket, onLine: (text: string) => void): void {
  let parts: string[] = []
  let length = 0
  socket.setEncoding('utf8').on('data', (text: unknown) => {
    let rest = String(text)
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      onLine(parts.join('') + rest.slice(0, end))
      parts = []
      length = 0
      rest = rest.slice(end + 1)
    }
    if (rest === '') return
    parts.push(rest)
    length += rest.length
    if (length > longestLine) socket.destroy()
  })
}
