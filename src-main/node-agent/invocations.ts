import { z } from 'zod'
import type { Content } from '../../src-preload/contract/content'
import type { Logger } from '../log'
import { failureOf } from '../tools/system-error'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tools/tool'
import type { Link } from './link'
import type { Permits } from './permits'

const invoke = z.object({
  callId: z.string(),
  tool: z.string(),
  args: z.unknown(),
  sessionId: z.string().default('gateway'),
  resultBytes: z.number().optional(),
  env: z.record(z.string(), z.string()).optional(),
  permit: z.unknown().optional(),
})
type Invocation = z.output<typeof invoke>

const defaultResultBytes = 4 * 1024 * 1024

/** Runs the calls of the gateway, each once, and reports the results. */
export function createInvocations(options: {
  tools: ReadonlyMap<string, Tool>
  workspace: string
  permits: Permits
  link: () => Pick<Link, 'tell'>
  log: Logger
}) {
  const { tools, workspace, log } = options
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()

  type Work = (tool: Tool, input: unknown, context: ToolContext) => Promise<object>

  const carryOut = async (call: Invocation, { signal }: AbortController, work: Work): Promise<object> => {
    const tool = tools.get(call.tool)
    if (!tool) return { error: `Tool not found: ${call.tool}`, kind: 'NotFound' }
    const { sessionId, callId } = call
    try {
      return await work(tool, tool.parse(call.args ?? {}), {
        sessionId,
        callId,
        workspace,
        signal,
        resultBytes: call.resultBytes ?? defaultResultBytes,
        env: call.env,
        show: (display, progress) =>
          options.link().tell('tool.progress', { callId, display, ...(progress && { progress }) }),
      })
    } catch (error) {
      if (signal.aborted) return { error: 'Stopped', kind: 'ExecutionFailed' }
      const failure = failureOf(error)
      if (!failure) log.error('A tool failed in a way it should not', { tool: call.tool, error: String(error) })
      const { kind, message, detail } = failure ?? new ToolFailure('ExecutionFailed', String(error))
      return { error: message, kind, ...detail }
    }
  }

  const begin = (call: Invocation, work: Work): void => {
    const { callId } = call
    const controller = new AbortController()
    log.info('Call', { tool: call.tool, callId })
    const done = carryOut(call, controller, work)
      .then((answer) => options.link().tell('tool.result', { callId, ...answer }))
      .finally(() => running.delete(callId))
    running.set(callId, { controller, done })
  }

  const read = (payload: unknown): Invocation | null => {
    const found = invoke.safeParse(payload)
    if (!found.success) log.warn('An unreadable call', { reason: found.error.message })
    return found.data ?? null
  }

  return {
    invoke(payload: unknown): void {
      const call = read(payload)
      if (!call) return
      const { callId, permit } = call
      const refusal = options.permits.use(callId, permit)
      if (refusal !== null) {
        log.warn('Refused a call', { tool: call.tool, callId, reason: refusal })
        options.link().tell('tool.result', { callId, error: refusal, kind: 'PermissionDenied' })
      } else begin(call, async (tool, input, context) => wireResult(await tool.run(input, context)))
    },
    /** Reports what a call would change, for the permission card. */
    preview(payload: unknown): void {
      const call = read(payload)
      if (!call) return
      begin(call, async (tool, input, context) => {
        const files = (await tool.preview?.(input, context)) ?? []
        return { result: {}, display: { type: 'diff', files } }
      })
    },
    cancel: (callId: string): void => running.get(callId)?.controller.abort(new DOMException('Stopped', 'AbortError')),
    /** Resolves when the call has been answered. */
    settled: (callId: string | null): Promise<void> =>
      (callId === null ? undefined : running.get(callId)?.done) ?? Promise.resolve(),
    ids: (): string[] => [...running.keys()],
  }
}

/** The documented result is a JSON object; images travel as structured content. */
function wireResult(result: ToolResult): object {
  const shown = result.display ? { display: result.display } : {}
  if (result.isError) return { error: textOf(result.content), content: result.content, ...shown }
  return { result: objectOf(result.content) ?? { content: result.content }, ...shown }
}

function objectOf(content: Content[]): object | null {
  const [only] = content
  if (content.length !== 1 || only?.type !== 'text' || !only.text.startsWith('{')) return null
  return JSON.parse(only.text)
}

const textOf = (content: Content[]): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
