import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Engine } from '../engine'
import type { HookVerdict } from './answer'
import { type HookCall, hookAccess, hookWords, readHook } from './payload'

/** A file that an agent writes is part of its call. */
export const longestPayload = 16 * 1024 * 1024

/** The command has the whole call in hand before it connects. */
const payloadMs = 30_000

const said = z.strictObject({ verdict: z.enum(['allow', 'deny', 'ask']), reason: z.string() })

/** The window's end: one call on one line, and the verdict on another. What has to be asked is a card in the inbox. */
export async function answerHook(
  engine: Engine,
  socket: Socket,
  sessions: Map<string, string>,
  signal: AbortSignal,
  limitMs = payloadMs,
): Promise<void> {
  const line = await readLine(socket, limitMs)
  const call = line === null ? { problem: 'Nothing came.' } : readHook(line)
  const verdict =
    'problem' in call ? { verdict: 'ask' as const, reason: call.problem } : await judge(engine, call, sessions, signal)
  socket.end(`${JSON.stringify(verdict)}\n`)
}

async function judge(
  engine: Engine,
  call: HookCall,
  sessions: Map<string, string>,
  signal: AbortSignal,
): Promise<HookVerdict> {
  const key = `${call.agent}\n${call.session}\n${call.workspace}`
  const known = sessions.get(key)
  const sessionId =
    known !== undefined && engine.store.sessions.find(known)
      ? known
      : engine.createSession({ workspace: call.workspace, title: `${call.agent} (through hooks)` }).id
  sessions.set(key, sessionId)
  const access = hookAccess(call)
  const decision = await engine.decide(access, sessionId)
  if (decision.verdict !== 'ask') return { verdict: decision.verdict, reason: decision.reason }
  const outcome = await engine.runner.permit(
    sessionId,
    { ...hookWords(call), access, input: call.fields.rawInput ?? {} },
    signal,
  )
  return outcome.isError
    ? { verdict: 'deny', reason: outcome.error?.message ?? 'It was denied in Deckhand.' }
    : { verdict: 'allow', reason: 'You allowed it in Deckhand.' }
}

/** The command's end: hands the payload over and waits for the verdict, however long the user takes. */
export async function askWindow(socket: Socket, text: string): Promise<HookVerdict | null> {
  socket.write(`${JSON.stringify(JSON.parse(text))}\n`)
  const line = await readLine(socket)
  socket.destroy()
  return line === null ? null : (said.safeParse(JSON.parse(line)).data ?? null)
}

/** `null` when the other end leaves, sends more than a payload can be, or lets the time pass. */
async function readLine(socket: Socket, limitMs?: number): Promise<string | null> {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > longestPayload) socket.destroy()
  })
  const lines = createInterface({ input: socket })
  const limit = limitMs === undefined ? undefined : setTimeout(() => lines.close(), limitMs)
  try {
    for await (const line of lines) return line
    return null
  } finally {
    clearTimeout(limit)
  }
}
