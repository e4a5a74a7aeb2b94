import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { Access } from '../../approval/types'
import { readToolCall } from '../../hosts/updates'
import type { Tool } from '../../tools/tool'
import type { RunnerCore } from '../runner-core'
import { accessOf } from './access'
import { dispatchFor } from './dispatch-for'
import { diffsOf, gistOf, oneLine } from './tool-call'
import type { HostedCall, TurnCalls } from './turn-calls'

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

interface PermissionOptions {
  core: RunnerCore
  turnCalls: TurnCalls
  agent: string
  workspace: string
  /** Whether the whole agent runs in the sandbox. */
  caged(): boolean
  signal: AbortSignal
  /** Sends the agent what the user wrote beside a denial. */
  note(text: string): void
}

/**
 * Answers a permission request of an agent. Our gate decides by what the call would actually do: allow at once, refuse
 * with the reason, or show our card. The agent's own "always" is never chosen: rules are kept here, where the user can
 * see and revoke them, and they answer the next request.
 */
export async function answerPermission(
  options: PermissionOptions,
  request: RequestPermissionRequest,
  withdrawn: AbortSignal,
): Promise<RequestPermissionResponse> {
  const { core, turnCalls } = options
  const fields = readToolCall(request.toolCall)
  const told = turnCalls.take(fields)
  const call = told.dispatched ? turnCalls.again(told) : told
  // The call itself will reach us, and is decided then.
  if (call.own !== null) return selected(best(request.options, ['allow_once', 'allow_always']))
  const signal = AbortSignal.any([options.signal, withdrawn])
  call.dispatched = true
  call.stopTracking?.()
  const { promise: answered, resolve: answer } = Promise.withResolvers<RequestPermissionResponse>()
  const access = accessOf(call.fields, options.agent, options.workspace, options.caged())
  const tool = isChoice(call, access, request)
    ? choiceTool(options, call, request, answer)
    : permissionTool(options, call, access, request, answer)
  turnCalls.track(
    dispatchFor(core, call.row, tool, call.fields.rawInput ?? {}, signal).then(
      (outcome) => {
        call.allowed = null
        answer(outcome.error?.kind === 'PermissionDenied' ? refusal(request.options) : cancelled)
        if (outcome.error?.kind === 'PermissionDenied') tellNote(options, call)
      },
      (error: unknown) => {
        call.allowed = null
        answer(cancelled)
        if (!signal.aborted) throw error
      },
    ),
  )
  return answered
}

/** The protocol has no place for the note beside a denial, so it is sent to the agent as a message. */
function tellNote({ core, note }: PermissionOptions, { row }: HostedCall): void {
  const state = core.options.store.calls.find(row.id)?.state
  const said = state?.status === 'denied' ? /^You denied it: (.+)$/s.exec(state.message)?.[1] : undefined
  if (said) note(said)
}

function permissionTool(
  { core, workspace, turnCalls }: PermissionOptions,
  call: HostedCall,
  access: Access,
  { options }: RequestPermissionRequest,
  answer: (response: RequestPermissionResponse) => void,
): Tool {
  const diffs = diffsOf(call.fields, workspace)
  return {
    ...plain,
    access: () => access,
    gist: () => gistOf(call.fields, workspace),
    ...(diffs.length > 0 && { preview: async () => diffs }),
    run: async (_, context) => {
      call.allowed = {
        context,
        command: access.command ?? null,
        cwd: access.cwd,
        paths: (access.paths ?? []).flatMap(({ path, access: kind }) => (kind === 'read' ? [] : path)),
      }
      answer(selected(best(options, ['allow_once', 'allow_always'])))
      core.options.store.unsaved.flush()
      turnCalls.follow(call)
      return call.ended.promise
    },
  }
}

/**
 * A request that offers more than yes and no, such as how to continue after a plan: the user chooses between the
 * agent's own options. A request that names a command, a file or a host is for the gate, however many ways to agree it
 * offers.
 */
const isChoice = ({ fields }: HostedCall, access: Access, { options }: RequestPermissionRequest): boolean => {
  if (access.toolKey === undefined || access.flagged !== undefined) return false
  return fields.kind === 'switch_mode' || options.filter(({ kind }) => kind === 'allow_once').length > 1
}

function choiceTool(
  { workspace, turnCalls }: PermissionOptions,
  call: HostedCall,
  { options }: RequestPermissionRequest,
  answer: (response: RequestPermissionResponse) => void,
): Tool {
  return {
    ...plain,
    access: () => ({ action: 'read', node: 'local', cwd: workspace, workspace }),
    gist: () => gistOf(call.fields, workspace),
    run: async (_, context) => {
      const names = options.map(({ name }) => oneLine(name))
      const said = await context.askUser?.(oneLine(call.fields.title ?? 'How shall the agent go on?'), names)
      const chosen = options[names.indexOf(said ?? '')]
      answer(chosen ? selected(chosen) : refusal(options))
      call.allowed = { context, command: null, cwd: workspace, paths: [] }
      turnCalls.follow(call)
      return call.ended.promise
    },
  }
}

const plain = {
  description: '',
  schema: { type: 'object' },
  foreignSchema: true as const,
  parse: (raw: unknown) => raw,
  readOnly: false,
}

const best = (
  options: readonly PermissionOption[],
  kinds: readonly PermissionOption['kind'][],
): PermissionOption | undefined => {
  for (const kind of kinds) {
    const found = options.find((option) => option.kind === kind)
    if (found) return found
  }
  return undefined
}

const selected = (option: PermissionOption | undefined): RequestPermissionResponse =>
  option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : cancelled

const refusal = (options: readonly PermissionOption[]): RequestPermissionResponse =>
  selected(best(options, ['reject_once', 'reject_always']))
