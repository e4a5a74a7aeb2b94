import type { ToolCall } from '../../../src-preload/contract/tool-calls'
import type { HostLimits } from '../../hosts/limits'
import type { HostedToolFields } from '../../hosts/updates'
import { boundResult } from '../../tools/output'
import type { ToolContext, ToolResult } from '../../tools/tool'
import { trackWork } from '../../track-work'
import { hasEnded } from '../call-rows'
import type { RunnerCore } from '../runner-core'
import {
  argumentsOf,
  begun,
  gistOf,
  merged,
  nameOf,
  resultOf,
  type TerminalDisplay,
  type ToolFields,
} from './tool-call'

/** How often the state of a running call is saved and shown. */
const progressMs = 200

/** A call of the agent, with its row here. */
export interface HostedCall {
  row: ToolCall
  fields: ToolFields
  /** Whether it goes through our gate and `dispatch`; otherwise what the agent reports of it is only recorded. */
  dispatched: boolean
  /** Set if it calls one of our own tools: its name. The call itself arrives through our MCP server. */
  own: string | null
  /** Set while it runs with our permission. */
  allowed: Allowed | null
  /** Settles when the agent says that it has ended, or at the end of the turn. */
  readonly ended: PromiseWithResolvers<ToolResult>
  /** Ends the recording of a call that runs without our permission. */
  stopTracking: (() => void) | null
}

/** What was allowed: we may do it once on the agent's behalf without asking again. */
interface Allowed {
  context: ToolContext
  /** The command text, and the folder it was allowed in. */
  command: string | null
  cwd: string
  paths: readonly string[]
}

interface TurnCallsOptions {
  core: RunnerCore
  sessionId: string
  workspace: string
  /** The name of the agent, for the card. */
  agent(): string
  /** The name of the tool of ours that a call is for; null for the agent's own. */
  ownTool(fields: ToolFields): string | null
  /** Adds a call to the transcript, after everything that was said before it. */
  append(providerId: string, name: string, given: string): ToolCall
  terminal: TerminalDisplay
  limits: Pick<HostLimits, 'turnCalls'>
  /** Called when the agent does something that ends the turn. */
  fail(error: Error): void
}

export type TurnCalls = ReturnType<typeof createTurnCalls>

/** Kinds of calls that change nothing, so they need no receipt. */
const quietKinds = new Set(['read', 'search', 'think', 'fetch', 'switch_mode'])

/** The calls of one turn, as the agent reports them. */
export function createTurnCalls(options: TurnCallsOptions) {
  const { core, workspace } = options
  const calls = new Map<string, HostedCall>()
  const work = trackWork((error) => options.fail(error instanceof Error ? error : new Error(String(error))))
  const early: { name: string; row: ToolCall }[] = []

  const result = (call: HostedCall): ToolResult => resultOf(call.fields, workspace, options.terminal)

  const add = (call: HostedCall): HostedCall => {
    calls.set(call.fields.toolCallId, call)
    return call
  }

  const open = (fields: ToolFields, ended = Promise.withResolvers<ToolResult>()): HostedCall => {
    if (calls.size >= options.limits.turnCalls)
      throw new Error(`${options.agent()} made more than ${options.limits.turnCalls} calls in one turn.`)
    const own = options.ownTool(fields)
    const came = early.findIndex(({ name }) => name === own)
    const [adopted] = came === -1 ? [] : early.splice(came, 1)
    // A call of our own tools that arrived before the agent reported it.
    if (adopted)
      return add({ row: adopted.row, fields, dispatched: true, own, allowed: null, ended, stopTracking: null })
    const row = options.append(fields.toolCallId, own ?? nameOf(fields), argumentsOf(fields))
    // It may fail although nobody waits for it.
    ended.promise.catch(() => {})
    core.setState(row.id, { status: 'pending' }, { gist: gistOf(fields, workspace) })
    return add({ row, fields, dispatched: false, own, allowed: null, ended, stopTracking: null })
  }

  /** The call that an update or request is about, with the new fields merged in; a new call if it is not known yet. */
  const take = (fields: HostedToolFields): HostedCall => {
    const call = calls.get(fields.toolCallId)
    if (!call) return open(begun(fields))
    call.fields = merged(call.fields, fields)
    call.own ??= options.ownTool(call.fields)
    return call
  }

  const progress = createProgress((call) => {
    const { display } = result(call)
    if (!display || (call.dispatched && !call.allowed)) return
    if (call.allowed) call.allowed.context.show(display)
    else core.setState(call.row.id, { status: 'running', display }, { gist: gistOf(call.fields, workspace) })
  })

  const follow = (call: HostedCall): void => {
    const { status } = call.fields
    if (status === 'completed' || status === 'failed') {
      if (!call.dispatched && !call.stopTracking) record(call)
      call.ended.resolve(result(call))
      return
    }
    if (call.dispatched) {
      if (call.allowed) progress.soon(call)
      return
    }
    // A call of our own tools is shown when it arrives.
    if (status !== 'in_progress' || call.own !== null) return
    if (call.stopTracking) progress.soon(call)
    else record(call)
  }

  const record = (call: HostedCall): void => work.add(recordRun(call, options))

  return {
    take,
    follow,
    /** For a second request about the same call: a row of its own, which ends with the first. */
    again: (call: HostedCall): HostedCall =>
      open({ ...call.fields, toolCallId: `${call.fields.toolCallId}#${calls.size}` }, call.ended),
    /** A call of our own tools that the agent has not reported yet; it may do so later. */
    expect: (name: string, row: ToolCall): void => void early.push({ name, row }),
    /** Adds work that the turn waits for before it ends. */
    track: work.add,
    result,
    /** Calls that have not ended, the latest first. */
    running: (): HostedCall[] => [...calls.values()].filter(({ row }) => isOpen(core, row)).reverse(),
    /** At the end of the turn: settles the calls whose end the agent has not reported. */
    close: async (words: string): Promise<void> => {
      progress.stop()
      for (const call of calls.values()) {
        if (!call.dispatched && !call.stopTracking && isOpen(core, call.row))
          core.setState(call.row.id, { status: 'aborted', message: words })
        call.ended.resolve({ content: [{ type: 'text', text: words }], isError: true })
      }
      await work.settled()
    },
  }
}

/** Shows the progress of calls, at most once in `progressMs` each. */
const createProgress = (show: (call: HostedCall) => void) => {
  const timers = new Map<HostedCall, NodeJS.Timeout>()
  return {
    soon: (call: HostedCall): void => {
      if (timers.has(call)) return
      const timer = setTimeout(() => {
        timers.delete(call)
        show(call)
      }, progressMs)
      timers.set(call, timer)
    },
    stop: (): void => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** Records a call that the agent makes on its own: its states, and what changes in the workspace meanwhile. */
const recordRun = async (
  call: HostedCall,
  { core, sessionId, workspace, agent }: Pick<TurnCallsOptions, 'core' | 'sessionId' | 'workspace' | 'agent'>,
): Promise<void> => {
  const { row } = call
  const aside = Promise.withResolvers<null>()
  call.stopTracking = () => aside.resolve(null)
  const reason = `${agent()} ran this by itself, without asking.`
  const changes = !quietKinds.has(call.fields.kind ?? '')
  const gist = gistOf(call.fields, workspace)
  core.setState(row.id, { status: 'running' }, { gist, grant: { by: 'agent', reason } })
  const recorded = { sessionId, callId: row.id, gist, workspace, node: 'local', paths: null }
  const ended = changes ? await core.options.receipts?.begin(recorded) : undefined
  try {
    const outcome = await Promise.race([call.ended.promise, aside.promise])
    if (outcome && !call.dispatched) await settle(core, call, outcome, workspace)
  } finally {
    ended?.()
    call.stopTracking = null
  }
}

/** Saves the outcome of a call that the agent made on its own. */
const settle = async (core: RunnerCore, call: HostedCall, outcome: ToolResult, workspace: string): Promise<void> => {
  const { settings, spillDir } = core.options
  const content = await boundResult(
    outcome.content,
    { maxResultBytes: settings().maxResultBytes, spillDir },
    call.row.id,
  )
  const shown = outcome.display && { display: outcome.display }
  const facts = { gist: gistOf(call.fields, workspace) }
  if (!outcome.isError) {
    core.setState(call.row.id, { status: 'done', content, ...shown }, facts)
    return
  }
  const [first] = content
  const message = first?.type === 'text' && first.text ? first.text.slice(0, 500) : 'The agent says that it failed.'
  core.setState(
    call.row.id,
    { status: 'failed', error: { kind: 'ExecutionFailed', message }, content, ...shown },
    facts,
  )
}

const isOpen = (core: RunnerCore, { id }: ToolCall): boolean => {
  const row = core.options.store.calls.find(id)
  return row !== null && !hasEnded(row.state)
}
