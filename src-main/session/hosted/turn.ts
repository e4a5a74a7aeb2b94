import { isDeepStrictEqual } from 'node:util'
import type { TodoItem, ToolCall } from '../../../src-preload/contract/tool-calls'
import type { AgentClient } from '../../hosts/agent-link'
import { hostLimits } from '../../hosts/limits'
import type { HostedUpdate } from '../../hosts/updates'
import type { EndRest } from '../../receipts/recorder'
import type { CallOutcome } from '../../tools/call-outcome'
import type { AssistantWriter } from '../assistant-writer'
import { newId } from '../ids'
import type { RunnerCore } from '../runner-core'
import { answerRequests } from './agent-requests'
import { ownToolOf } from './own-tools'
import { answerPermission } from './permission'
import { createSpeech } from './speech'
import type { Terminals } from './terminals'
import { oneLine } from './tool-call'
import { createTurnCalls, type HostedCall } from './turn-calls'

const todoStates = new Map([
  ['completed', 'done' as const],
  ['in_progress', 'active' as const],
])

/** How many paths the row names; the receipt lists them all. */
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
  /** Ends the recording of changes that were made outside the calls of the turn. */
  rest: EndRest
  usage(used: number, size: number, cost: number | null): void
  note(text: string): void
  /** Ends the turn, because the agent broke a limit or nothing can be saved. */
  fail(error: unknown): void
}

export interface HostedTurn {
  client: Pick<AgentClient, 'update' | 'permission' | 'readFile' | 'writeFile' | 'createTerminal'>
  /** Makes a call of one of our own tools, which the agent has as an MCP server. */
  ownCall(
    name: string,
    given: string,
    call: (row: ToolCall, signal: AbortSignal) => Promise<CallOutcome>,
  ): Promise<CallOutcome>
  /** Whether one of its calls is running or waits for the user. */
  busy(): boolean
  waitsForUser(): boolean
  /** Saves everything that was said, with its calls. `words`: the message for calls whose end was not reported. */
  close(words: string): Promise<void>
}

/** One turn of a hosted agent: writes what the agent reports into the transcript, and answers its requests. */
export function createHostedTurn(options: TurnOptions): HostedTurn {
  const { core, sessionId, workspace, writer, terminals, signal } = options
  const { store } = core.options
  const speech = createSpeech(writer, options.name)

  const turnCalls = createTurnCalls({
    core,
    sessionId,
    workspace,
    agent: options.name,
    ownTool: (fields) => ownToolOf(fields, options.toolsName()),
    append: (id, name, given) => speech.endWith({ id, name, arguments: given }),
    terminal: terminals.display,
    limits: hostLimits,
    fail: options.fail,
  })

  const take = (update: HostedUpdate): void => {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        speech.say('text', update.content)
        return
      case 'agent_thought_chunk':
        speech.say('reasoning', update.content)
        return
      case 'tool_call':
      case 'tool_call_update': {
        const { sessionUpdate: _, ...fields } = update
        // Its card is made when it is known what the call will do.
        if (fields._meta?.phase === 'preparing') return
        turnCalls.follow(turnCalls.take(fields))
        return
      }
      case 'plan':
        setPlan(core, sessionId, update.entries.map(todoOf))
        return
      case 'usage_update': {
        const { used, size, cost } = update
        options.usage(used, size, cost?.currency === 'USD' ? cost.amount : null)
        return
      }
      case 'notice': {
        const words = oneLine(`${update.title} ${update.description ?? ''}`, 500)
        speech.say('text', { type: 'text', text: `\n> ${words}\n` })
      }
    }
  }

  const ownRow = (name: string, input: unknown): ToolCall =>
    speech.endWith({ id: newId('c'), name, arguments: JSON.stringify(input) })

  const rowFor = (fits: (call: HostedCall) => boolean, name: string, input: unknown): ToolCall => {
    const told = turnCalls.running().find((call) => !call.dispatched && fits(call))
    if (!told) return ownRow(name, input)
    told.dispatched = true
    told.stopTracking?.()
    return told.row
  }

  let closed = false
  /** A row for changes that were made outside all reported calls, so that they can be seen and undone. */
  const restRow = (paths: readonly string[]): string => {
    const { id } = ownRow('Changes', { paths: paths.slice(0, mostListed) })
    showRest(core, id, paths, options.name())
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
      permission: (request, withdrawn) => answerPermission({ ...options, turnCalls }, request, withdrawn),
      ...answerRequests({ ...options, turnCalls, ownRow, rowFor }),
    },
    ownCall: async (name, given, call) => {
      const known = announcedCall(turnCalls.running(), name, given)
      const row = known ? rowFor((each) => each === known, name, null) : ownRow(name, parsed(given))
      if (!known) turnCalls.expect(name, row)
      const done = call({ ...row, name, arguments: given }, signal)
      turnCalls.track(hasEnded(done))
      return done
    },
    busy: () => turnCalls.running().length > 0,
    waitsForUser: () => turnCalls.running().some(({ row }) => store.calls.find(row.id)?.state.status === 'awaiting'),
    close: async (words) => {
      terminals.leave()
      await turnCalls.close(words)
      if (!closed) await options.rest(restRow)
      closed = true
      speech.end()
    },
  }
}

/** The call that the agent has told of before it makes it here: the one with the same input, or else the latest. */
const announcedCall = (running: readonly HostedCall[], name: string, given: string): HostedCall | undefined => {
  const told = running.filter((call) => call.own === name && !call.dispatched)
  return told.find(({ fields }) => isDeepStrictEqual(fields.rawInput, parsed(given))) ?? told.at(-1)
}

const hasEnded = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => {},
    () => {},
  )

const setPlan = ({ options: { store, publish } }: RunnerCore, sessionId: string, items: TodoItem[]): void => {
  store.sessions.setTodo(sessionId, items)
  publish({ type: 'todo', sessionId, items })
}

const showRest = (core: RunnerCore, callId: string, paths: readonly string[], agent: string): void => {
  const count = paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files`
  const reason = `${agent} did not tell of this.`
  core.setState(
    callId,
    { status: 'done', content: [{ type: 'text', text: paths.slice(0, mostListed).join('\n') }] },
    { gist: `${count}, outside any reported call`, grant: { by: 'agent', reason } },
  )
}

const todoOf = ({ content, status }: { content: string; status: string }): TodoItem => ({
  text: oneLine(content, 500),
  status: todoStates.get(status) ?? 'pending',
})

const parsed = (given: string): unknown => {
  try {
    return JSON.parse(given)
  } catch {
    return given // `dispatch` reports what is wrong with it.
  }
}
