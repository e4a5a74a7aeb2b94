import type { Content } from '../../src-preload/contract/content'
import type { Decision } from '../approval/types'
import { type CallOutcome, type CallSink, Denial, fail, type OpenCall, settle } from './call-outcome'
import type { ResultLimits } from './output'
import { ask, type CallGate, type Cleared, clear } from './permission'
import { type DispatchCall, find, parse } from './read-call'
import { blockedWords, cageNote, explained, isBlockedInCage, showsCage } from './sandboxed'
import type { Tool, ToolContext, ToolResult } from './tool'
import { untilAborted } from './until-aborted'

/**
 * The path of every call: parse → decide → ask → run → bound. Failures are returned as content for the model; only an
 * abort (of `scope.signal`), a bug, and a disk on which nothing can be saved throw, and all leave the call in a final
 * state.
 */
export async function dispatch(
  call: DispatchCall,
  scope: Omit<ToolContext, 'show' | 'resultBytes' | 'env' | 'knownShell' | 'follow' | 'checked' | 'tried'>,
  gate: CallGate,
  sink: CallSink,
  given: ResultLimits,
): Promise<CallOutcome> {
  const limits = call.toolset.cut ? { ...given, cut: call.toolset.cut } : given
  const open: OpenCall = { call, scope, limits, sink, display: undefined, started: false }
  const context: ToolContext = {
    ...scope,
    resultBytes: limits.maxResultBytes,
    show(next, progress) {
      const display = showsCage(next, context)
      open.display = display
      sink.state({ status: 'running', display, progress })
    },
  }
  const askUser = scope.askUser
  if (askUser) {
    context.askUser = async (question, choices) => {
      const reply = await askUser(question, choices)
      sink.state({ status: 'running', display: open.display })
      return reply
    }
  }

  const submitPlan = scope.submitPlan
  if (submitPlan) {
    context.submitPlan = async (plan) => {
      const verdict = await submitPlan(plan)
      sink.state({ status: 'running' })
      return verdict
    }
  }

  const askForm = scope.askForm
  if (askForm) {
    context.askForm = (title, form, signal) =>
      askForm(title, form, signal).finally(() => {
        // The question may have been withdrawn: the call continues without an answer, unless it was stopped.
        if (!scope.signal.aborted) sink.state({ status: 'running', display: open.display })
      })
  }

  try {
    scope.signal.throwIfAborted()
    const { tool, input: asked } = parse(await find(call, scope), call)
    sink.gist(tool.gist(asked))
    const cleared = await clear(call.name, tool, asked, context, gate, sink)
    await sink.state({ status: 'running' })
    open.started = true
    const result = await explained(await run(tool, cleared, context, gate), context)
    if (isBlockedInCage(result)) return await runOutside(tool, cleared, result)
    return await settle(open, result, [...cleared.note, ...(await remarksOn(cleared, result))])
  } catch (error) {
    return fail(open, error)
  }

  /** The cage got in the way: the user is asked, once, whether it may run outside. */
  async function runOutside(tool: Tool, { input, access, note }: Cleared, first: ToolResult): Promise<CallOutcome> {
    const blocked = blockedWords(first)
    const decision = await gate.decide(access, { uncaged: true })
    if (decision.verdict === 'deny') return settle(open, first, [...note, cageNote(blocked, 'nobody')])
    const outside: Decision = { ...decision, verdict: 'ask', reason: blocked, blocked }
    delete context.sandbox
    let again: Cleared
    try {
      again = await ask(call.name, tool, input, access, outside, context, gate, sink, false)
    } catch (error) {
      if (!(error instanceof Denial)) throw error
      return settle(open, first, [...note, cageNote(blocked, 'denied', error.answer?.note)])
    }
    await sink.state({ status: 'running' })
    const result = await explained(await run(tool, again, context, gate), context)
    return settle(open, result, [...again.note, cageNote(blocked, 'allowed'), ...(await remarksOn(again, result))])
  }

  async function remarksOn({ access, decision }: Cleared, result: ToolResult): Promise<Content[]> {
    return (await gate.remarks?.(access, decision, result)) ?? []
  }
}

async function run(
  tool: Tool,
  { input, access, decision }: Cleared,
  context: ToolContext,
  gate: CallGate,
): Promise<ToolResult> {
  const ended = await gate.begin?.(access, decision)
  try {
    context.signal.throwIfAborted()
    return await untilAborted(tool.run(input, context), context.signal)
  } finally {
    ended?.()
  }
}
