import type { Grant, ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import type { CallSink } from '../tools/call-outcome'
import type { CallFacts } from './call-rows'
import type { RunnerCore } from './runner-core'

/** Saves and publishes the life of one call. */
export interface CallRecord extends CallSink {
  /** What is known about the call and not saved yet. It is saved with the next change of state: one write instead of three. */
  takeFacts(): CallFacts
  /** One line about the call. */
  readonly line: string
  /** Whether the row says that the call was denied. */
  readonly denied: boolean
}

export function recordCall(core: RunnerCore, call: ToolCall, signal: AbortSignal): CallRecord {
  let line = call.gist
  let denied = false
  let begun = false
  let facts: CallFacts = {}
  const takeFacts = (): CallFacts => {
    const taken = facts
    facts = {}
    return taken
  }
  return {
    takeFacts,
    gist: (text) => {
      line = text
      facts.gist = text
    },
    grant: (grant: Grant) => {
      facts.grant = grant
    },
    state: (state: ToolState) => {
      const taken = takeFacts()
      const save = (): void => {
        denied = core.setState(call.id, state, taken)?.state.status === 'denied'
      }
      if (state.status !== 'running' || begun) return save()
      return core.whenWritable(call.sessionId, signal, save).then(() => {
        begun = true
      })
    },
    get line() {
      return line
    },
    get denied() {
      return denied
    },
  }
}
