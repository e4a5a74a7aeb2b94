import { z } from 'zod'
import type { Content } from '../../src-preload/contract/protocol'
import type { Logger } from '../log'
import { systemFailure } from '../tools/system-error'
import { type Tool, ToolFailure, type ToolResult } from '../tools/tool'
import type { Link } from './link'

const invoke = z.object({
  callId: z.string(),
  tool: z.string(),
  args: z.unknown(),
  sessionId: z.string().default('gateway'),
  resultBytes: z.number().optional(),
  env: z.record(z.string(), z.string()).optional(),
})

const defaultResultBytes = 4 * 1024 * 1024
const rememberedCalls = 10_000

/** Runs what the gateway asks for, each call once, and tells how it went. */
export function createInvocations(options: {
  tools: ReadonlyMap<string, Tool>
  workspace: string
  link: () => Link
  log: Logger
}) {
  const { tools, workspace, log } = options
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()
  const seen = new Set<string>()

  const run = async (call: z.output<typeof invoke>, controller: AbortController): Promise<object> => {
    const tool = tools.get(call.tool)
    if (!tool) return { error: `Tool not found: ${call.tool}`, kind: 'NotFound' }
    const { sessionId, callId } = call
    try {
      const result = await tool.run(tool.parse(call.args ?? {}), {
        sessionId,
        callId,
        workspace,
        signal: controller.signal,
        resultBytes: call.resultBytes ?? defaultResultBytes,
        ...(call.env && { env: call.env }),
        show: (display, progress) =>
          options.link().tell('tool.progress', { callId, display, ...(progress && { progress }) }),
      })
      return wireResult(result)
    } catch (error) {
      if (controller.signal.aborted) return { error: 'Stopped', kind: 'ExecutionFailed' }
      const failure = error instanceof ToolFailure ? error : systemFailure(error)
      if (!failure) log.error('A tool failed in a way it should not', { tool: call.tool, error: String(error) })
      const { kind, message, detail } = failure ?? new ToolFailure('ExecutionFailed', String(error))
      return { error: message, kind, ...detail }
    }
  }

  return {
    invoke(payload: unknown) {
      const read = invoke.safeParse(payload)
      if (!read.success) return log.warn('An unreadable call', { reason: read.error.message })
      const { callId } = read.data
      // A call that was run is never run again, whoever repeats it.
      if (seen.has(callId)) return options.link().tell('tool.result', { callId, error: 'This call was made before' })
      seen.add(callId)
      const [oldest] = seen
      if (seen.size > rememberedCalls && oldest !== undefined) seen.delete(oldest)

      const controller = new AbortController()
      log.info('Call', { tool: read.data.tool, callId })
      const done = run(read.data, controller)
        .then((answer) => options.link().tell('tool.result', { callId, ...answer }))
        .finally(() => running.delete(callId))
      running.set(callId, { controller, done })
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
  return JSON.parse(only.text) as object
}

const textOf = (content: Content[]): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
