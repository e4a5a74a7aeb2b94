import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import type { InvokeOutcome, InvokeRequest } from './invoke'
import { displayOf, outcomeOf } from './outcome'
import { createPendingCalls } from './pending-calls'
import { binName, logsResult, probeResult, processResult, toolProgress, toolResult } from './wire'

/** Added to the tool's own time limit, which the node enforces, to allow for the network. */
const outerGraceMs = 30_000
const defaultBashMs = 300_000
const fileToolMs = 180_000
const probeAttempts = 2
/** Short, because the user is waiting for the permission card. */
const previewMs = 5_000

/** Calls from the gateway to nodes. */
export function createNodeCalls(
  hub: Hub,
  onRunning: (link: NodeLink, sessionId: string, callId: string) => void,
  processesOpened: () => Promise<unknown>,
  clock: () => number,
) {
  const { ask, settle } = createPendingCalls(hub, clock)
  hub.method('tool.result', toolResult, async (link, frame) => {
    // Whoever gets the result may use the process that it names at once.
    await processesOpened()
    return settle(link, frame.callId, (call) => {
      const outcome = outcomeOf(frame)
      if (outcome.ok) noteRunning(link, frame.callId, outcome.result, onRunning)
      call.resolve(outcome)
    })
  })
  hub.method('tool.progress', toolProgress, (link, { callId, display, progress }) =>
    settle(link, callId, (call) => {
      const shown = displayOf(display)
      if (shown) call.onShow?.(shown, progress)
    }),
  )
  hub.method('logs.result', logsResult, (link, { callId, ...answer }) =>
    settle(link, callId, (call) =>
      answer.error === undefined ? call.resolve(answer) : call.reject(new GatewayError(500, answer.error)),
    ),
  )
  hub.method('node.probe.result', probeResult, (link, { probeId, ok, bins, error }) =>
    settle(link, probeId, (call) =>
      ok ? call.resolve(bins ?? {}) : call.reject(new GatewayError(500, error ?? 'The node cannot tell')),
    ),
  )
  hub.method('process.result', processResult, (link, { callId, ...answer }) =>
    settle(link, callId, (call) => call.resolve(answer)),
  )

  return {
    invoke(request: InvokeRequest): Promise<InvokeOutcome> {
      const { nodeId, tool, args, sessionId, resultBytes, env } = request
      const timeoutMs = outerLimit(tool, args)
      return ask<InvokeOutcome>(nodeId, {
        event: 'tool.invoke',
        payload: (callId, permit) => ({ callId, permit, tool, args, sessionId, resultBytes, env }),
        onAbort: (link, callId) => link.peer.event('tool.cancel', { callId }),
        timeoutMs: timeoutMs ?? undefined,
        signal: request.signal,
        onShow: request.onShow,
      })
    },
    /** Uses a separate event: an older node ignores it instead of making the change. */
    preview: ({ nodeId, tool, args, sessionId, signal }: InvokeRequest): Promise<InvokeOutcome> =>
      ask<InvokeOutcome>(nodeId, {
        event: 'tool.preview',
        payload: (callId) => ({ callId, tool, args, sessionId }),
        timeoutMs: previewMs,
        signal,
      }),
    logs: (nodeId: string, lines: number, timeoutMs: number) =>
      ask<{ lines?: string[]; truncated?: boolean }>(nodeId, {
        event: 'logs.get',
        payload: (callId) => ({ callId, lines }),
        timeoutMs,
      }),
    async probe(nodeId: string, bins: readonly string[], timeoutMs: number): Promise<Record<string, boolean>> {
      const odd = bins.find((bin) => !binName.test(bin))
      if (odd !== undefined)
        throw new GatewayError(400, `${JSON.stringify(odd.slice(0, 80))} is not the name of a program`)
      const attempt = (left: number): Promise<Record<string, boolean>> =>
        ask<Record<string, boolean>>(nodeId, {
          event: 'node.probe',
          payload: (probeId) => ({ probeId, kind: 'bins', bins, timeoutMs }),
          timeoutMs,
        }).catch((error: unknown) => {
          if (left > 1 && error instanceof GatewayError && error.code === 504) return attempt(left - 1)
          throw error
        })
      const found = await attempt(probeAttempts)
      return Object.fromEntries(bins.map((bin) => [bin, found[bin] === true]))
    },
    /** Asks a process on the node to do something; the node may refuse. */
    process: (nodeId: string, event: string, payload: object, timeoutMs = 15_000) =>
      ask<{ error?: string; secretInput?: boolean; id?: string }>(nodeId, {
        event,
        payload: (callId, permit) => ({ callId, permit, ...payload }),
        timeoutMs,
      }),
  }
}

export type NodeCalls = ReturnType<typeof createNodeCalls>

/** `null` if the tool itself has no limit. */
function outerLimit(tool: string, args: Record<string, unknown>): number | null {
  if (tool !== 'Bash') return fileToolMs
  const limit = typeof args.timeout === 'number' ? args.timeout : defaultBashMs
  return limit === 0 ? null : limit + outerGraceMs
}

/** A result with status `running` names a session whose end is reported later. */
function noteRunning(
  link: NodeLink,
  callId: string,
  result: unknown,
  note: (link: NodeLink, sessionId: string, callId: string) => void,
): void {
  if (typeof result !== 'object' || result === null) return
  if (!('status' in result) || result.status !== 'running') return
  if ('sessionId' in result && typeof result.sessionId === 'string') note(link, result.sessionId, callId)
}
