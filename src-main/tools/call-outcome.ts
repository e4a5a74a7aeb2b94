import type { Content } from '../../src-preload/contract/content'
import type { Display, Grant, ToolErrorKind, ToolState } from '../../src-preload/contract/tool-calls'
import { StorageError } from '../storage/storage-error'
import { boundResult, type ResultLimits } from './output'
import type { DispatchCall } from './read-call'
import { failureOf } from './system-error'
import { type ToolContext, ToolFailure, type ToolResult } from './tool'

/** Receives the states of a call. */
export interface CallSink {
  gist(text: string): void
  grant(grant: Grant): void
  /** A call runs only after this has settled: then the state is saved, and survives a crash. */
  state(state: ToolState): unknown
}

export interface CallOutcome {
  /** Exactly what the model reads. */
  content: Content[]
  isError: boolean
  error: { kind: ToolErrorKind; message: string } | null
}

/** Thrown when a tool fails because of a bug: the turn has to fail visibly. */
export class ToolBug extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} failed in a way it should not: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ToolBug'
  }
}

/** Denied by the user, a rule or the mode. */
export class Denial extends ToolFailure {
  constructor(
    message: string,
    /** Set if the user denied it. */
    readonly answer?: { note?: string },
  ) {
    super('PermissionDenied', message)
  }
}

/** The message for the user; the model also reads what to do now. */
function denialWords({ answer, message }: Denial): string {
  if (!answer) return message
  return answer.note ? `You denied it: ${answer.note}` : 'You denied it.'
}

/** A call on its way through `dispatch`, with what was last shown of it. */
export interface OpenCall {
  readonly call: DispatchCall
  readonly scope: Pick<ToolContext, 'signal' | 'callId'>
  readonly limits: ResultLimits
  readonly sink: CallSink
  display: Display | undefined
  /** Whether its tool has begun to run. */
  started: boolean
}

/** Saves and returns the result of a call that has run. */
export async function settle(
  { scope, limits, sink, display }: OpenCall,
  result: ToolResult,
  note: Content[],
): Promise<CallOutcome> {
  const content = await boundResult([...result.content, ...note], limits, scope.callId)
  const shown = result.display ?? display
  if (result.isError) {
    const error = { kind: 'ExecutionFailed' as const, message: firstText(result.content) }
    sink.state({ status: 'failed', error, content, display: shown })
    return { content, isError: true, error }
  }
  sink.state({ status: 'done', content, display: shown })
  return { content, isError: false, error: null }
}

/** Turns what was thrown into content for the model. Rethrows an abort, a bug, and an error of saving. */
export async function fail(
  { call, scope, limits, sink, display, started }: OpenCall,
  thrown: unknown,
): Promise<CallOutcome> {
  if (scope.signal.aborted) {
    sink.state({ status: 'aborted', message: 'Stopped', display })
    throw scope.signal.reason
  }
  if (thrown instanceof StorageError) {
    const message = started ? thrown.message : `It was not run. ${thrown.message}`
    const error = { kind: 'ExecutionFailed' as const, message }
    await sink.state({ status: 'failed', error, content: [{ type: 'text', text: message }] })
    throw thrown
  }
  const failure = failureOf(thrown)
  const bug = failure ? null : new ToolBug(call.name, thrown)
  const { kind, message } = failure ?? { kind: 'ExecutionFailed' as const, message: bug?.message ?? '' }
  const detail = failure?.detail
  const rendered = call.toolset.renderFailure({
    name: call.name,
    kind,
    message,
    content: detail?.content,
    ...(thrown instanceof Denial && thrown.answer && { denied: thrown.answer }),
  })
  const content = await boundResult(rendered, limits, scope.callId)
  const shown = detail?.display ?? display
  if (thrown instanceof Denial) sink.state({ status: 'denied', message: denialWords(thrown) })
  else sink.state({ status: 'failed', error: { kind, message }, content, display: shown })
  if (bug) throw bug
  return { content, isError: true, error: { kind, message } }
}

function firstText(content: Content[]): string {
  const text = content.find((part) => part.type === 'text')
  return text?.type === 'text' ? text.text : 'The tool reports a failure'
}
