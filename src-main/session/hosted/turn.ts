import { isDeepStrictEqual } from 'node:util'
import type * as acp from '@agentclientprotocol/sdk'
import type { ToolCall } from '../../../src-preload/contract/tool-calls'
import type { AgentClient } from '../../hosts/agent-link'
import { hostLimits } from '../../hosts/limits'
import type { HostedBlock, HostedUpdate } from '../../hosts/updates'
import type { EndRest } from '../../receipts/recorder'
import type { CallOutcome } from '../../tools/call-outcome'
import { resolvePath } from '../../tools/files/paths'
import { createWriteTool } from '../../tools/files/write'
import { localToolNode } from '../../tools/nodes/tool-node'
import type { Tool } from '../../tools/tool'
import type { AssistantWriter } from '../assistant-writer'
import { newId } from '../ids'
import type { RunnerCore } from '../runner-core'
import { dispatchFor } from './allow'
import { createCallBook, type HostedCall } from './call-book'
import { readAccess, readText, readTool } from './files'
import { ownToolOf } from './own-tools'
import { answerPermission } from './permission'
import { isSame, type Terminals, wantedTerminal } from './terminals'
import { contentOf, oneLine } from './tool-call'

const todoStates = new Map([
  ['completed', 'done' as const],
  ['in_progress', 'active' as const],
])

/** Paths that are named in the row; the receipt has them all. */
const mostListed = 100

interface TurnOptions {
  core: RunnerCore
  sessionId: string
  workspace: string
  agent: string
  name(): string
  caged(): boolean
  /** The name under which the agent knows our own tools. */
  toolsName(): string | null
  writer: AssistantWriter
  terminals: Terminals
  signal: AbortSignal
  /** Ends the record of what changed beside the calls of the turn. */
  rest: EndRest
  usage(used: number, size: number, cost: number | null): void
  note(text: string): void
  /** Ends the turn: the agent does what it must not, or nothing can be saved. */
  fail(error: unknown): void
}

export interface HostedTurn {
  client: Pick<AgentClient, 'update' | 'permission' | 'readFile' | 'writeFile' | 'createTerminal'>
  /** A call of our own tools, which the agent has as a server. */
  ownCall(
    name: string,
    given: string,
    call: (row: ToolCall, signal: AbortSignal) => Promise<CallOutcome>,
  ): Promise<CallOutcome>
  /** Whether one of its calls is running, or waits for the user. */
  busy(): boolean
  waitsForUser(): boolean
  /** Everything that was said, saved with its calls. `words`: for calls whose end was not told. */
  close(words: string): Promise<void>
}

/** One turn of a hosted agent: takes what the agent tells into the transcript, and answers what it asks. */
export function createHostedTurn(options: TurnOptions): HostedTurn {
  const { core, sessionId, workspace, writer, terminals, signal } = options
  const { store } = core.options
  let text = ''
  let thoughts = ''
  let thoughtAt = 0
  let thoughtMs = 0
  let chars = 0
  const writeTool = createWriteTool(localToolNode()) as Tool

  /** Ends the message that is being written, with the calls that follow it. */
  const endMessage = (calls: { id: string; name: string; arguments: string }[]): ToolCall[] => {
    const said = { text, reasoning: thoughts, reasoningMs: thoughtMs }
    text = ''
    thoughts = ''
    thoughtMs = 0
    return writer.end({ type: 'assistant-end', ...said, calls, usage: null }).calls
  }

  const book = createCallBook({
    core,
    sessionId,
    workspace,
    agent: options.name,
    ownTool: (fields) => ownToolOf(fields, options.toolsName()),
    append: (id, name, given) => endMessage([{ id, name, arguments: given }])[0] as ToolCall,
    terminal: terminals.display,
    limits: hostLimits,
    fail: options.fail,
  })

  const say = (kind: 'text' | 'reasoning', block: HostedBlock): void => {
    const content = contentOf(block)
    if (content.type === 'image') {
      chars += content.data.length
      limit()
      writer.add({ type: 'image', data: content.data, mimeType: content.mimeType })
      return
    }
    if (content.text === '') return
    chars += content.text.length
    limit()
    if (kind === 'text') text += content.text
    else {
      thoughts += content.text
      if (thoughtAt === 0) thoughtAt = performance.now()
      thoughtMs = Math.round(performance.now() - thoughtAt)
    }
    if (kind === 'text') thoughtAt = 0
    writer.delta(kind, content.text)
  }

  const limit = (): void => {
    if (chars > hostLimits.turnChars)
      throw new Error(
        `${options.name()} wrote more than ${hostLimits.turnChars / 1_000_000} million characters in one turn.`,
      )
  }

  const plan = (entries: Extract<HostedUpdate, { sessionUpdate: 'plan' }>['entries']): void => {
    const items = entries.map(({ content, status }) => ({
      text: oneLine(content, 500),
      status: todoStates.get(status) ?? ('pending' as const),
    }))
    store.sessions.setTodo(sessionId, items)
    core.options.publish({ type: 'todo', sessionId, items })
  }

  const take = (update: HostedUpdate): void => {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        say('text', update.content)
        return
      case 'agent_thought_chunk':
        say('reasoning', update.content)
        return
      case 'tool_call':
      case 'tool_call_update': {
        const { sessionUpdate: _, ...fields } = update
        book.follow(book.take(fields))
        return
      }
      case 'plan':
        plan(update.entries)
        return
      case 'usage_update': {
        const { used, size, cost } = update
        options.usage(used, size, cost?.currency === 'USD' ? cost.amount : null)
        return
      }
      case 'notice': {
        const words = oneLine(`${update.title} ${update.description ?? ''}`, 500)
        say('text', { type: 'text', text: `\n> ${words}\n` })
      }
    }
  }

  /** A row for something that the agent has us do without having told of a call. */
  const ownRow = (name: string, input: unknown): ToolCall =>
    endMessage([{ id: newId('c'), name, arguments: JSON.stringify(input) }])[0] as ToolCall

  /** The row of a call that the agent has told of and that this belongs to; otherwise one of its own. */
  const rowFor = (fits: (call: HostedCall) => boolean, name: string, input: unknown): ToolCall => {
    const told = book.running().find((call) => !call.dispatched && fits(call))
    if (!told) return ownRow(name, input)
    told.dispatched = true
    told.stopTracking?.()
    return told.row
  }

  let closed = false
  /** A row for what was changed beside all calls, so that it can be seen and undone. */
  const restRow = (paths: readonly string[]): string => {
    const { id } = ownRow('Changes', { paths: paths.slice(0, mostListed) })
    const count = paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files`
    const reason = `${options.name()} did not tell of this.`
    core.setState(
      id,
      { status: 'done', content: [{ type: 'text', text: paths.slice(0, mostListed).join('\n') }] },
      { gist: `${count}, outside any reported call`, grant: { by: 'agent', reason } },
    )
    return id
  }

  return {
    client: {
      update: (update) => {
        if (signal.aborted && update.sessionUpdate === 'tool_call') return
        try {
          take(update)
        } catch (error) {
          options.fail(error)
        }
      },
      permission: (request, withdrawn) => answerPermission({ ...options, book }, request, withdrawn),
      createTerminal: async (request, withdrawn): Promise<acp.CreateTerminalResponse> => {
        const wanted = wantedTerminal(request, workspace)
        const allowed = book.running().find((call) => call.allowed && isSame(wanted, call.allowed))
        if (allowed?.allowed) {
          const { context } = allowed.allowed
          // It was allowed once, and this is that once.
          allowed.allowed = { ...allowed.allowed, command: null }
          return { terminalId: await terminals.startWithin(wanted, context) }
        }
        const prepared = terminals.prepare(wanted)
        const row = rowFor(({ fields }) => fields.kind === 'execute', 'Bash', wanted)
        const both = AbortSignal.any([signal, withdrawn])
        book.track(
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
        const allowed = book.running().find((call) => call.allowed?.paths.includes(path))
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
    },
    ownCall: async (name, given, call) => {
      const same = (each: HostedCall): boolean => each.own === name && !each.dispatched
      const told = book.running().filter(same)
      const known = told.find(({ fields }) => isDeepStrictEqual(fields.rawInput, parsed(given))) ?? told.at(-1)
      const row = known ? rowFor((each) => each === known, name, null) : ownRow(name, parsed(given))
      if (!known) book.expect(name, row)
      const done = call({ ...row, name, arguments: given }, signal)
      book.track(
        done.then(
          () => {},
          () => {},
        ),
      )
      return done
    },
    busy: () => book.running().length > 0,
    waitsForUser: () => book.running().some(({ row }) => store.calls.find(row.id)?.state.status === 'awaiting'),
    close: async (words) => {
      terminals.leave()
      await book.close(words)
      if (!closed) await options.rest(restRow)
      closed = true
      if (text !== '' || thoughts !== '') endMessage([])
    },
  }
}

const parsed = (given: string): unknown => {
  try {
    return JSON.parse(given)
  } catch {
    return given // What it means is said by the dispatch.
  }
}
