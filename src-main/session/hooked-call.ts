import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import type { HookAnswer } from '../hooks/answers'
import { isRecord } from '../is-record'
import type { RunnerCore } from './runner-core'

/** What hooks decided about one call. */
export interface HookedCall {
  /** The arguments that the call is made with. */
  arguments: string
  /** The decision after the hooks: stricter by any of them, looser only by the user's own. */
  decide(access: Access, decision: Decision): Promise<Decision>
  /** What the model should read with the result. */
  remarks(content: readonly { type: string; text?: string }[], isError: boolean): Promise<string[]>
}

/** Asks the hooks about a call before it is dispatched; `null` where none is for it. */
export async function hookedCall(
  core: RunnerCore,
  call: ToolCall,
  workspace: string,
  signal: AbortSignal,
): Promise<HookedCall | null> {
  const { hooks } = core.options
  const given = readArguments(call.arguments)
  if (!hooks?.anyIn(workspace) || given === null) return null
  const first = await hooks.beforeCall(call.sessionId, call.name, given, signal)
  const used = first?.input ? withoutAlias(first.input, given) : given
  let seen: string | undefined
  let answer = first
  return {
    arguments: JSON.stringify(used),
    decide: async (access, decision) => {
      // The user may edit the command: the hooks see what would run.
      if (seen !== undefined && access.command !== undefined && access.command !== seen)
        answer = await hooks.beforeCall(call.sessionId, call.name, { ...used, command: access.command }, signal)
      seen = access.command ?? seen
      return answer ? combined(decision, answer) : decision
    },
    remarks: async (content, isError) => {
      const output = content.map(({ text }) => text ?? '').join('\n')
      const said = await hooks.afterCall(call.sessionId, call.name, used, { output, is_error: isError }, signal)
      const words = [...(answer?.context ?? []), ...(said?.block ? [said.block] : []), ...(said?.context ?? [])]
      return words.map((text) => `[Deckhand] A hook says: ${text}`)
    },
  }
}

function combined(decision: Decision, { block, ask, allow }: HookAnswer): Decision {
  if (decision.verdict === 'deny' && !decision.unattended) return decision
  if (block !== null) return { ...decision, verdict: 'deny', reason: `a hook refused it. ${block}` }
  if (ask !== null && decision.verdict !== 'deny')
    return { ...decision, verdict: 'ask', reason: `A hook wants you to be asked: ${ask}`, offers: [] }
  // What wants a typed word is never let through by a program.
  if (allow !== null && decision.verdict !== 'allow' && decision.typedWord === undefined)
    return { ...decision, verdict: 'allow', reason: `a hook of yours allows it: ${allow}` }
  return decision
}

/** A path that a hook has seen as `file_path` goes back under our own name. */
function withoutAlias(input: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown> {
  if (!('file_path' in input) || 'file_path' in given) return input
  const { file_path: path, ...rest } = input
  return typeof given.path === 'string' ? { ...rest, path } : rest
}

function readArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    // Dispatch says what is wrong with it.
    return null
  }
}
