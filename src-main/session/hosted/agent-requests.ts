import type { ToolCall } from '../../../src-preload/contract/tool-calls'
import type { AgentClient } from '../../hosts/agent-link'
import { resolvePath } from '../../tools/files/paths'
import { createWriteTool } from '../../tools/files/write'
import { localToolNode } from '../../tools/nodes/tool-node'
import type { RunnerCore } from '../runner-core'
import { dispatchFor } from './dispatch-for'
import { readAccess, readText, readTool } from './files'
import { isSame, type Terminals, wantedTerminal } from './terminals'
import type { HostedCall, TurnCalls } from './turn-calls'

interface RequestOptions {
  core: RunnerCore
  sessionId: string
  workspace: string
  terminals: Terminals
  signal: AbortSignal
  turnCalls: TurnCalls
  /** A new row for something the agent asks us to do without having reported a call. */
  ownRow(name: string, input: unknown): ToolCall
  /** The row of the reported call that this request belongs to; otherwise a new one. */
  rowFor(fits: (call: HostedCall) => boolean, name: string, input: unknown): ToolCall
}

/**
 * Does what a hosted agent asks of us; each request goes through our gate unless a call that was just allowed covers
 * it.
 */
export function answerRequests(
  options: RequestOptions,
): Pick<AgentClient, 'createTerminal' | 'readFile' | 'writeFile'> {
  const { core, sessionId, workspace, terminals, signal, turnCalls, ownRow, rowFor } = options
  const writeTool = createWriteTool(localToolNode())
  return {
    createTerminal: async (request, withdrawn) => {
      const wanted = wantedTerminal(request, workspace)
      const allowed = turnCalls.running().find((call) => call.allowed && isSame(wanted, call.allowed))
      if (allowed?.allowed) {
        const { context } = allowed.allowed
        // The permission is good for one run, and this is it.
        allowed.allowed = { ...allowed.allowed, command: null }
        return { terminalId: await terminals.startWithin(wanted, context) }
      }
      const prepared = terminals.prepare(wanted)
      const row = rowFor(({ fields }) => fields.kind === 'execute', 'Bash', wanted)
      const both = AbortSignal.any([signal, withdrawn])
      turnCalls.track(
        dispatchFor(core, row, prepared.tool, wanted, both).then(
          ({ error }) => prepared.over(new Error(error?.message ?? 'It was not started.')),
          (error: unknown) => {
            prepared.over(error instanceof Error ? error : new Error(String(error)))
            if (!both.aborted) throw error
          },
        ),
      )
      return { terminalId: await prepared.started }
    },
    readFile: async (request, withdrawn) => {
      const both = AbortSignal.any([signal, withdrawn])
      const decision = await core.options.gate.decide(readAccess(request.path, workspace), { sessionId })
      if (decision.verdict === 'allow') return { content: await readText(request, workspace, both) }
      const row = ownRow('Read', request)
      let content = ''
      const tool = readTool(request, (got) => {
        content = got
      })
      const { error } = await dispatchFor(core, row, tool, request, both)
      if (error) throw new Error(error.message)
      return { content }
    },
    writeFile: async (request, withdrawn) => {
      const path = resolvePath(request.path, workspace)
      const input = { path, content: request.content }
      const allowed = turnCalls.running().find((call) => call.allowed?.paths.includes(path))
      if (allowed?.allowed) {
        const { context, paths } = allowed.allowed
        allowed.allowed = { ...allowed.allowed, paths: paths.filter((each) => each !== path) }
        const { display } = await writeTool.run(input, context)
        if (display) context.show(display)
        return
      }
      const touches = ({ fields }: HostedCall): boolean =>
        (fields.locations ?? []).some((location) => resolvePath(location.path, workspace) === path) ||
        (fields.content ?? []).some((part) => part.type === 'diff' && resolvePath(part.path, workspace) === path)
      const row = rowFor(touches, 'Write', { path })
      const { error } = await dispatchFor(core, row, writeTool, input, AbortSignal.any([signal, withdrawn]))
      if (error) throw new Error(error.message)
    },
  }
}
