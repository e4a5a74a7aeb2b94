import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Display, ToolState } from '../../src-preload/contract/tool-calls'
import { lookAfter, sandboxWords } from '../tools/sandboxed'
import { hasEnded } from './call-rows'
import type { RunnerCore } from './runner-core'

const tailChars = 4000

/**
 * What a command in the sandbox ran into after its call had ended: noted in the card of the call, which then offers the way
 * out, and answered in words for the model.
 */
export const explainExit = async (core: RunnerCore, process: ProcessInfo): Promise<string[]> => {
  const { store, table, publish } = core.options
  const { callId, exitCode } = process
  const sandboxed = callId === null ? undefined : core.sandboxed.get(callId)
  if (callId === null || !sandboxed) return []
  const tail = await table.tail(process.id, tailChars)
  const found = await lookAfter(sandboxed, exitCode, tail)
  const words = sandboxWords(found, sandboxed.caged !== undefined)
  const call = core.isClosed() ? null : store.calls.find(callId)
  // A call that is just ending would overwrite this; it checks again when it has ended.
  if (!call || !hasEnded(call.state)) return words
  core.sandboxed.delete(callId)
  const display = processOf(call.state)
  if (words.length > 0 && display)
    publish({ type: 'call', call: store.calls.setDisplay(callId, { ...display, exitCode, tail, ...found }) })
  return words
}

/** The call has ended; its sandbox is kept for as long as its command runs. */
export const forgetSandboxed = async (core: RunnerCore, callId: string): Promise<void> => {
  if (core.isClosed() || !core.sandboxed.has(callId)) return
  const { store, table } = core.options
  const call = store.calls.find(callId)
  const display = call && processOf(call.state)
  const process = display && display.exitCode === undefined ? table.get(display.processId) : undefined
  if (process?.status === 'running') return
  if (process) await explainExit(core, process)
  core.sandboxed.delete(callId)
}

const processOf = (state: ToolState): Extract<Display, { type: 'process' }> | undefined =>
  'display' in state && state.display?.type === 'process' ? state.display : undefined
