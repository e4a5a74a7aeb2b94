import { isAbsolute, join } from 'node:path'
import type {
  ContentBlock,
  SessionUpdate,
  ToolCallContent,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk'
import type { Content } from '../../src-preload/contract/content'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { Message } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'

/** Our messages and calls in the words of the protocol. */

const kinds: readonly [RegExp, ToolKind][] = [
  [/bash|shell|exec|process|terminal|sendkeys/i, 'execute'],
  [/write|edit|patch/i, 'edit'],
  [/delete/i, 'delete'],
  [/read|capture/i, 'read'],
  [/grep|glob|list|search|find/i, 'search'],
  [/web|fetch/i, 'fetch'],
  [/todo|ask|time/i, 'think'],
]

const kindOf = (name: string): ToolKind => kinds.find(([like]) => like.test(name))?.[1] ?? 'other'

const statuses: Record<ToolCall['state']['status'], ToolCallStatus> = {
  pending: 'pending',
  awaiting: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  denied: 'failed',
  aborted: 'failed',
}

const text = (words: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text: words } })

/** A call as it is now. `live`: of a turn that this client follows, so that it knows its own terminals. */
export function callUpdate(call: ToolCall, workspace: string, live: boolean): ToolCallUpdate & { title: string } {
  const { state } = call
  const paths = pathsOf(call).map((path) => ({ path: isAbsolute(path) ? path : join(workspace, path) }))
  return {
    toolCallId: call.id,
    title: call.gist ? `${call.name}: ${call.gist}` : call.name,
    kind: kindOf(call.name),
    status: statuses[state.status],
    rawInput: argumentsOf(call),
    content: contentOf(call, workspace, live),
    ...(paths.length > 0 && { locations: paths }),
  }
}

const argumentsOf = (call: ToolCall): unknown => {
  try {
    return JSON.parse(call.arguments)
  } catch {
    return { text: call.arguments } // The model wrote something that is no JSON.
  }
}

function pathsOf({ state }: ToolCall): string[] {
  const display = 'display' in state ? state.display : undefined
  if (display?.type === 'diff') return display.files.map(({ path }) => path)
  if (display?.type === 'file') return [display.path]
  return state.status === 'awaiting' ? [...new Set((state.question.diff ?? []).map(({ path }) => path))] : []
}

function contentOf({ state }: ToolCall, workspace: string, live: boolean): ToolCallContent[] {
  if (state.status === 'awaiting') {
    const { question } = state
    return [
      ...(question.diff ?? []).flatMap((diff) => (diff.by ? othersChange(diff) : diffContent(diff, workspace))),
      text(question.plan ?? question.reason),
    ]
  }
  const display = 'display' in state ? state.display : undefined
  if (display?.type === 'diff') return display.files.flatMap((diff) => diffContent(diff, workspace))
  if (display?.type === 'process' && display.clientTerminal !== undefined && live)
    return [{ type: 'terminal', terminalId: display.clientTerminal }]
  if (display?.type === 'process' && display.tail) return [text(display.tail)]
  if (state.status === 'denied' || state.status === 'aborted') return [text(state.message)]
  if (state.status === 'done' || state.status === 'failed') return state.content.map(contentPart)
  return []
}

const contentPart = (part: Content): ToolCallContent =>
  part.type === 'text'
    ? text(part.text)
    : { type: 'content', content: { type: 'image', data: part.data, mimeType: part.mimeType } }

/** The lines around each change: what our diff keeps of the file before and after. */
function diffContent({ path, patch }: FileDiff, workspace: string): ToolCallContent[] {
  const before: string[] = []
  const after: string[] = []
  for (const line of patch.split('\n')) {
    if (line.startsWith('@@') || line.startsWith('\\')) continue
    if (!line.startsWith('+')) before.push(line.slice(1))
    if (!line.startsWith('-')) after.push(line.slice(1))
  }
  const whole = isAbsolute(path) ? path : join(workspace, path)
  return [{ type: 'diff', path: whole, oldText: before.join('\n'), newText: after.join('\n') }]
}

/** What somebody else did to a file, in words: as a difference the client would take it for what the call does. */
const othersChange = ({ path, by, patch }: FileDiff): ToolCallContent[] => [text(`Changed by ${by}: ${path}\n${patch}`)]

/** A session's past, for a client that loads it. */
export function* replay(
  messages: readonly Message[],
  calls: readonly ToolCall[],
  workspace: string,
): Generator<SessionUpdate> {
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const { role, parts } of messages)
    for (const part of parts) {
      const chunk = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk'
      if (part.type === 'text') yield { sessionUpdate: chunk, content: words(part.text) }
      if (part.type === 'reasoning') yield { sessionUpdate: 'agent_thought_chunk', content: words(part.text) }
      if (part.type === 'image')
        yield { sessionUpdate: chunk, content: { type: 'image', data: part.data, mimeType: part.mimeType } }
      const call = part.type === 'call' ? byId.get(part.callId) : undefined
      if (call) yield { sessionUpdate: 'tool_call', ...defined(callUpdate(call, workspace, false)) }
    }
}

const words = (said: string): ContentBlock => ({ type: 'text', text: said })

/** The first word of a call, which has no empty fields. */
export const defined = ({
  toolCallId,
  title,
  kind,
  status,
  content,
  locations,
  rawInput,
}: ReturnType<typeof callUpdate>) => ({
  toolCallId,
  title,
  kind: kind ?? 'other',
  status: status ?? 'pending',
  rawInput,
  content: content ?? [],
  locations: locations ?? undefined,
})
