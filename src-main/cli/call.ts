import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { ToolErrorKind } from '../../src-preload/contract/protocol'
import type { Engine } from '../compose'
import { type CallOutcome, dispatch, type Gate } from '../tools/dispatch'
import { modeOf, openHeadlessEngine, workspaceOf } from './headless-engine'

const line = z.strictObject({
  id: z.union([z.number(), z.string()]),
  tool: z.string(),
  /** A value, or the raw JSON text that a model would send. */
  args: z.unknown().optional(),
})

/** Whoever reads these lines is a program: it gets results whole where a model would get their ends. */
const wholeResultBytes = 1024 * 1024

/** Reads calls from stdin and makes them, in order, through the same dispatch as a model's. */
export async function call(options: Map<string, string>): Promise<number> {
  const workspace = workspaceOf(options)
  const engine = await openHeadlessEngine(options)
  await engine.mcp.start()
  const mode = modeOf(options)
  const toolset = options.get('toolset')
  // Processes belong to a session; this one is gone again at the end.
  const session = engine.createSession({ workspace, mode, title: 'Command line', ...(toolset && { toolset }) })
  const stopping = new AbortController()
  const stop = () => stopping.abort(new DOMException('Interrupted', 'AbortError'))
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    for await (const text of createInterface({ input: process.stdin, signal: stopping.signal })) {
      if (text.trim())
        process.stdout.write(`${JSON.stringify(await answer(engine, session.id, text, stopping.signal))}\n`)
    }
    return stopping.signal.aborted ? 130 : 0
  } catch (error) {
    if (stopping.signal.aborted) return 130
    throw error
  } finally {
    engine.runner.deleteSession(session.id)
    await engine.close()
  }
}

async function answer(engine: Engine, sessionId: string, text: string, signal: AbortSignal) {
  const read = line.safeParse(parseJson(text))
  if (!read.success) return failure(null, 'InvalidArgs', `Not a call: ${z.prettifyError(read.error)}`)
  const { id, tool, args } = read.data
  const session = engine.store.sessions.get(sessionId)
  const gate: Gate = {
    mode: session.mode,
    decide: (access) => engine.decide(access, sessionId),
    ask: () => Promise.reject(new Error('a call was asked about where nobody can answer')),
  }
  const scope = { sessionId, callId: randomUUID(), workspace: session.workspace, signal }
  const silent = { gist: () => {}, grant: () => {}, state: () => {} }
  const toolset = engine.toolset(session.toolset)
  const limits = {
    maxResultBytes: toolset.maxResultBytes ?? Math.max(wholeResultBytes, engine.settings.current().maxResultBytes),
    spillDir: join(engine.dataDir, 'results'),
  }
  const outcome = await dispatch({ toolset, name: tool, arguments: args ?? {} }, scope, gate, silent, limits)
  return { id, ...outcome } satisfies CallOutcome & { id: string | number }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failure = (id: null, kind: ToolErrorKind, message: string) => ({
  id,
  content: [{ type: 'text', text: message }],
  isError: true,
  error: { kind, message },
})
