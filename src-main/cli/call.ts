import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { Engine } from '../engine'
import { type CallOutcome, dispatch, type Gate } from '../tools/dispatch'
import { modeOf, openHeadlessEngine, requireSandbox, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'

const id = z.union([z.number(), z.string()])
/** So that a program whose call is faulty knows which one. */
const knownId = z.object({ id })
const line = z.strictObject({
  id,
  tool: z.string(),
  /** A value, or the raw JSON text that a model would send. */
  args: z.unknown().optional(),
})
type Call = z.output<typeof line>

/** Whoever reads these lines is a program: it gets results whole where a model would get their ends. */
const wholeResultBytes = 1024 * 1024

/** Reads calls from stdin and makes them, in order, through the same dispatch as a model's. */
export async function call(options: Map<string, string>): Promise<number> {
  const workspace = workspaceOf(options)
  const engine = await openHeadlessEngine(options)
  try {
    const sandbox = options.has('sandbox')
    if (sandbox) await requireSandbox(engine)
    await startServers(engine, workspace)
    const mode = modeOf(options)
    const toolset = options.get('toolset')
    // Processes belong to a session; this one is gone again at the end.
    const { id } = engine.createSession({
      workspace,
      mode,
      sandbox,
      title: 'Command line',
      ...(toolset && { toolset }),
    })
    return await makeCalls(engine, id).finally(() => engine.runner.deleteSession(id))
  } finally {
    await engine.close()
  }
}

async function makeCalls(engine: Engine, sessionId: string): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new DOMException('Interrupted', 'AbortError'))
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  try {
    let number = 0
    for await (const text of createInterface({ input: process.stdin, signal: stopping.signal })) {
      number++
      if (text.trim() === '') continue
      const asked = readCall(text, number)
      const said = 'tool' in asked ? await answer(engine, sessionId, asked, stopping.signal) : asked
      process.stdout.write(`${JSON.stringify(said)}\n`)
    }
    return stopping.signal.aborted ? 130 : 0
  } catch (error) {
    if (stopping.signal.aborted) return 130
    throw error
  }
}

async function answer(engine: Engine, sessionId: string, { id, tool, args }: Call, signal: AbortSignal) {
  const session = engine.store.sessions.get(sessionId)
  const gate: Gate = {
    mode: session.mode,
    decide: (access) => engine.decide(access, sessionId),
    ask: () => Promise.reject(new Error('a call was asked about where nobody can answer')),
  }
  const sandboxed = session.sandbox ? await engine.sandbox.enter(session) : null
  const scope = {
    sessionId,
    callId: randomUUID(),
    workspace: session.workspace,
    signal,
    ...(sandboxed && { sandbox: sandboxed }),
  }
  const silent = { gist: () => {}, grant: () => {}, state: () => {} }
  const toolset = engine.toolset(session.toolset, session.workspace)
  const limits = {
    maxResultBytes: toolset.maxResultBytes ?? Math.max(wholeResultBytes, engine.settings.current().maxResultBytes),
    spillDir: join(engine.dataDir, 'results'),
  }
  const outcome = await dispatch({ toolset, name: tool, arguments: args ?? {} }, scope, gate, silent, limits)
  return { id, ...outcome } satisfies CallOutcome & { id: string | number }
}

/** The call that a line asks for, or the answer that says what is wrong with the line. */
function readCall(text: string, number: number) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refusal(null, `Line ${number} is not JSON: ${(error as SyntaxError).message}`)
  }
  const read = line.safeParse(value)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return refusal(knownId.safeParse(value).data?.id ?? null, `Line ${number} is not a call: ${wrong.join('; ')}`)
}

const refusal = (id: Call['id'] | null, message: string) => ({
  id,
  content: [{ type: 'text', text: message }],
  isError: true,
  error: { kind: 'InvalidArgs' satisfies ToolErrorKind, message },
})
