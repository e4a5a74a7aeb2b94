import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { Engine } from '../engine'
import { errorText } from '../error-text'
import { StorageError } from '../storage/storage-error'
import type { CallOutcome } from '../tools/call-outcome'
import { untilAborted } from '../tools/until-aborted'
import { modeOf, openHeadlessEngine, requireSandbox, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'
import type { Stopping } from './stopping'

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

/** Reads calls from stdin and makes them, in order, as a session makes those of a model: same gate, same receipts. */
export async function call(options: Map<string, string>, _operands: string[], stopping: Stopping): Promise<number> {
  const workspace = workspaceOf(options)
  const engine = await openHeadlessEngine(options, stopping)
  try {
    const sandbox = options.has('sandbox')
    if (sandbox) await requireSandbox(engine)
    await untilAborted(startServers(engine, workspace, 0), stopping.signal)
    const mode = modeOf(options)
    const toolset = options.get('toolset')
    // A session of their own: it is removed at the end unless they changed something that can be undone.
    const { id } = engine.createSession({
      workspace,
      mode,
      sandbox,
      title: 'Command line',
      ...(toolset && { toolset }),
    })
    const lines: Lines = {
      input: process.stdin,
      say: (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`),
    }
    await makeCalls(engine, id, lines, stopping.signal).finally(() => leave(engine, id))
    return stopping.exitCode ?? 0
  } finally {
    await engine.close()
  }
}

/** Where calls come from, and where their answers go. */
interface Lines {
  input: Readable
  say(answer: unknown): void
}

export async function makeCalls(
  engine: Engine,
  sessionId: string,
  { input, say }: Lines,
  signal: AbortSignal,
): Promise<void> {
  let number = 0
  for await (const text of createInterface({ input, signal })) {
    number++
    if (text.trim() === '') continue
    const asked = readCall(text, number)
    say('tool' in asked ? await answerInWords(engine, sessionId, asked, signal) : asked)
  }
}

/** Removes the session, unless its calls changed files: then it stays, so that `deckhand undo` can take them back. */
export async function leave(engine: Engine, sessionId: string): Promise<void> {
  await engine.receipts.settled()
  const changed = engine.receipts
    .list(sessionId)
    .some(({ created, changed, deleted }) => created + changed + deleted > 0)
  if (!changed) engine.runner.deleteSession(sessionId)
}

/** A call that meets a full disk is answered as well: the calls after it may find space again. */
async function answerInWords(engine: Engine, sessionId: string, call: Call, signal: AbortSignal) {
  try {
    return await answer(engine, sessionId, call, signal)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return refusal(call.id, `${error.message} ${error.hint}`, 'ExecutionFailed')
  }
}

async function answer(engine: Engine, sessionId: string, { id, tool, args }: Call, signal: AbortSignal) {
  const given = typeof args === 'string' ? args : JSON.stringify(args ?? {})
  const { toolset, workspace } = engine.store.sessions.get(sessionId)
  const maxResultBytes =
    engine.toolset(toolset, workspace).maxResultBytes ??
    Math.max(wholeResultBytes, engine.settings.current().maxResultBytes)
  const outcome = await engine.runner.call(sessionId, tool, given, { signal, maxResultBytes })
  return { id, ...outcome } satisfies CallOutcome & { id: string | number }
}

/** The call that a line asks for, or the answer that says what is wrong with the line. */
function readCall(text: string, number: number) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refusal(null, `Line ${number} is not JSON: ${errorText(error)}`)
  }
  const read = line.safeParse(value)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return refusal(knownId.safeParse(value).data?.id ?? null, `Line ${number} is not a call: ${wrong.join('; ')}`)
}

const refusal = (id: Call['id'] | null, message: string, kind: ToolErrorKind = 'InvalidArgs') => ({
  id,
  content: [{ type: 'text', text: message }],
  isError: true,
  error: { kind, message },
})
