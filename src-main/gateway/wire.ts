import { z } from 'zod'
import { longestTerminalSide } from '../../src-preload/contract/terminal'
import { pieceBytes } from '../nodes/files/node-files'

/**
 * The protocol between gateway and node. Text frames are JSON: a node sends requests and gets responses, the gateway
 * sends events. An event that needs an answer has a `callId`, which the node returns in a request. Binary frames are an
 * id followed by raw bytes.
 */
export const protocolVersion = 1

export type ResponseFrame = {
  type: 'res'
  id: string | number | null
  ok: boolean
  payload?: unknown
  error?: WireError
}
export type EventFrame = { type: 'evt'; event: string; payload?: unknown; seq?: number }
export type WireError = { code: number; message: string; details?: unknown; retryable?: boolean }

export const closeCodes = {
  replaced: 1000,
  away: 1001,
  malformed: 1003,
  policy: 1008,
  tooBig: 1009,
  refused: 4001,
} as const

/** Size of one chunk of a file; the last one may be smaller. */
export const chunkBytes = pieceBytes
/** Most unacknowledged bytes of a transfer. This bounds the memory that every process on the path needs for it. */
export const transferWindow = 8 * 1024 * 1024
/** Most unacknowledged bytes of a terminal's output. */
export const streamWindow = 4 * 1024 * 1024
/** Binary frames with ids below this carry files, the others process output. */
export const firstStreamId = 0x8000_0000
export const maxFrameBytes = 32 * 1024 * 1024
export const binName = /^[A-Za-z0-9._+-]{1,64}$/
/** The text a node signs to prove that it holds its key. The nonce makes a recorded proof useless on another socket. */
export const proofText = (nonce: string, clientId: string): string =>
  `deckhand-node:${protocolVersion}:${nonce}:${clientId}`

export const headerBytes = 4

export function binaryFrame(id: number, chunk: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + chunk.length)
  frame.writeUInt32LE(id, 0)
  frame.set(chunk, headerBytes)
  return frame
}

// What frames hold. Each is made when it is first read: a start without nodes needs none of them.

const shortText = z.string().max(200)

const toolSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(/^(?!.*__)[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'is not a tool name'),
    description: z.string().max(20_000).default(''),
    inputSchema: z.record(z.string(), z.unknown()).default({ type: 'object' }),
  }),
)

export const connectParams = z.lazy(() =>
  z.object({
    minProtocol: z.number(),
    maxProtocol: z.number(),
    client: z.object({
      id: z.string().max(200),
      version: shortText.default(''),
      platform: shortText.default(''),
      mode: z.string().max(50),
    }),
    tools: z.array(toolSchema).max(200).optional(),
    nodeRuntime: z.unknown().optional(),
    auth: z
      .object({
        token: z.string().max(1000).nullish(),
        key: z.string().max(500).optional(),
        proof: z.string().max(500).optional(),
      })
      .optional(),
  }),
)
export type ConnectParams = z.output<typeof connectParams>

const callId = z.string().min(1).max(100)

/** How long a permitted call may take to reach the node. */
export const permitMs = 120_000
/** Sent with every call that needs permission: the connection it is valid on, and its expiry by the gateway's clock. */
export const permit = z.lazy(() => z.object({ connectionId: z.string(), expiresAt: z.number() }))
export type Permit = z.output<typeof permit>

export const toolResult = z.lazy(() =>
  z.object({
    callId,
    result: z.unknown().optional(),
    error: z.string().max(1_000_000).optional(),
    /** Used for the model and the UI; not part of the documented result. */
    kind: z.string().max(50).optional(),
    content: z.array(z.unknown()).max(100).optional(),
    display: z.unknown().optional(),
  }),
)
export const toolProgress = z.lazy(() =>
  z.object({ callId, display: z.unknown(), progress: z.string().max(1000).optional() }),
)
export const logsResult = z.lazy(() =>
  z.object({
    callId,
    lines: z.array(z.string()).max(10_000).optional(),
    truncated: z.boolean().optional(),
    error: z.string().max(2000).optional(),
  }),
)
export const probeResult = z.lazy(() =>
  z.object({
    probeId: callId,
    ok: z.boolean(),
    bins: z.record(z.string().regex(binName), z.boolean()).optional(),
    error: z.string().max(2000).optional(),
  }),
)
export const execEvent = z.lazy(() =>
  z.object({
    eventId: z.string().min(8).max(100),
    sessionId: z.string().min(1).max(200),
    event: z.enum(['started', 'finished', 'failed', 'timed_out']),
    callId: z.string().max(200).optional(),
    exitCode: z.number().nullish(),
    signal: z.string().max(20).nullish(),
    outputTail: z.string().max(20_000).optional(),
    startedAt: z.number().optional(),
    endedAt: z.number().nullish(),
  }),
)

const processId = z.uuid()
const side = z.int().min(1).max(longestTerminalSide)

export const processOpen = z.lazy(() =>
  z.object({
    id: processId,
    /** The session of the gateway whose call started it. */
    sessionId: z.string().max(200),
    callId: z.string().max(200).nullable(),
    command: z.string().max(1_000_000),
    title: z.string().max(1_000_000),
    cwd: z.string().max(10_000),
    pid: z.int().min(0),
    size: z.object({ cols: side, rows: side }),
    background: z.boolean(),
    byUser: z.boolean(),
    startedAt: z.number(),
  }),
)
export type ProcessOpen = z.output<typeof processOpen>
export const processEvent = z.lazy(() =>
  z.object({
    id: processId,
    event: z.union([
      z.object({ type: z.literal('secret-input'), active: z.boolean() }),
      z.object({
        type: z.literal('prompt'),
        prompt: z.object({ text: z.string().max(1000), guess: z.boolean() }).nullable(),
      }),
      z.object({ type: z.literal('typed'), text: z.string().max(100_000) }),
      z.object({ type: z.literal('background') }),
      z.object({ type: z.literal('timed-out') }),
    ]),
  }),
)
export const processEnd = z.lazy(() =>
  z.object({
    id: processId,
    exitCode: z.number().nullable(),
    signal: z.string().max(20).nullable(),
    /** Total output size. The gateway treats the process as ended only after it has received that much. */
    bytes: z.number().min(0),
    timedOut: z.boolean(),
    lost: z.boolean().optional(),
  }),
)
export const processSynced = z.lazy(() => z.object({ ids: z.array(processId).max(10_000) }))
export const processResult = z.lazy(() =>
  z.object({
    callId,
    error: z.string().max(10_000).optional(),
    /** The program is asking for a password, so the agent must not type. */
    secretInput: z.boolean().optional(),
    id: processId.optional(),
  }),
)

const transferId = z.number()
const failure = z.string().max(2000).optional()
export const transferMeta = z.lazy(() =>
  z.object({
    transferId,
    size: z.number().min(0).optional(),
    mime: z.string().max(200).optional(),
    /** The node can check whether the file begins with the bytes that the destination already has. */
    resumable: z.boolean().optional(),
    error: failure,
  }),
)
export const transferAccept = z.lazy(() =>
  z.object({
    transferId,
    /** The part of the file that an earlier attempt left at the destination. */
    kept: z.object({ bytes: z.int().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
    error: failure,
  }),
)
export const transferCompared = z.lazy(() => z.object({ transferId, same: z.boolean() }))
export const transferComplete = z.lazy(() => z.object({ transferId, error: failure }))
export const transferDone = z.lazy(() =>
  z.object({ transferId, bytesWritten: z.number().min(0).optional(), error: failure }),
)
export const transferAck = z.lazy(() => z.object({ transferId, bytes: z.number().min(0) }))
