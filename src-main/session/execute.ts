import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Decision } from '../approval/types'
import type { SandboxedCall } from '../sandbox/sandbox'
import type { CallOutcome } from '../tools/call-outcome'
import { dispatch } from '../tools/dispatch'
import type { Toolset } from '../tools/tool'
import { askAhead } from './ask-ahead'
import { gateForCall } from './call-gate'
import { recordCall } from './call-record'
import { hookedCall } from './hooked-call'
import { planQuestion } from './plan-first'
import type { RunnerCore } from './runner-core'
import { forgetSandboxed } from './sandboxed-calls'
import { toolQuestions } from './tool-questions'

/** Takes one call through `dispatch`, with the gate of its session and a record of what becomes of it. */
type CagePlace = NonNullable<Decision['cage']>

/** Kept until the command has ended, to explain a failure that the sandbox caused. */
const enterCage = async (
  core: RunnerCore,
  session: Session,
  callId: string,
  { kind, readable, writable }: CagePlace,
): Promise<SandboxedCall | null> => {
  const entered = (await core.options.cages?.enter(session, kind, { readable, writable })) ?? null
  if (entered) core.sandboxed.set(callId, entered)
  return entered
}

export const executeCall = async (
  core: RunnerCore,
  toolset: Toolset,
  call: ToolCall,
  signal: AbortSignal,
  maxResultBytes = toolset.maxResultBytes ?? core.options.settings().maxResultBytes,
  /** Once it waits for an answer, the calls after it in its message ask as well. */
  withNext = false,
): Promise<CallOutcome> => {
  const { store, sandbox, cages, clients, interactive, spillDir } = core.options
  core.begun.add(call.id)
  const session = store.sessions.get(call.sessionId)
  const entered = session.sandbox ? await sandbox?.enter(session) : null
  const outside = store.calls.isOutside(call.id)
  const inside = outside ? null : entered
  if (inside) core.sandboxed.set(call.id, inside)

  const hooked = await hookedCall(core, call, session.workspace, signal)
  const record = recordCall(core, call, signal)
  const gated = { sessionId: session.id, sandboxed: Boolean(entered), outside }
  const asked = (): void => {
    if (withNext) void askAhead(core, toolset, call, gated, inside, signal)
  }
  const gate = gateForCall(core, call, gated, record, signal, hooked, asked)
  const client = clients?.of(session.id)
  const scope = {
    sessionId: session.id,
    callId: call.id,
    workspace: session.workspace,
    signal,
    ...(interactive && toolQuestions(core.questions, call, signal)),
    // A plan can wait until somebody is there to answer.
    ...planQuestion(core, call, signal),
    ...(inside && { sandbox: inside }),
    ...(client && { client }),
    ...(cages && { enterCage: (wanted: CagePlace) => enterCage(core, session, call.id, wanted) }),
  }
  try {
    const made = { toolset, name: call.name, arguments: hooked?.arguments ?? call.arguments }
    const outcome = await dispatch(made, scope, gate, record, { maxResultBytes, spillDir })
    const { content, isError } = outcome
    // Saved separately: the card words a denial differently from what the model was told.
    if (record.denied)
      store.unsaved.save(`result:${call.id}`, () => store.calls.setResult(call.id, { content, isError }))
    return outcome
  } finally {
    core.begun.delete(call.id)
    await forgetSandboxed(core, call.id)
    await core.trials.drop(call.id)
  }
}
