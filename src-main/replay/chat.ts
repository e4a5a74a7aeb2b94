import type { Message, Notice, Part } from '../../src-preload/contract/messages'
import type { ReplayCall, ReplayMessage, ReplayPart } from '../../src-preload/contract/replay'
import type { ToolCall } from '../../src-preload/contract/tool-calls'

/** Messages with what is known of when their parts came to be. */
export function replayMessages(messages: readonly Message[], calls: readonly ToolCall[]): ReplayMessage[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  return messages.flatMap((message): ReplayMessage[] => {
    const parts = message.parts.flatMap((part) => partOf(part, byId))
    if (parts.length === 0) return []
    const { id, createdAt: at, role } = message
    const firstCall = parts.find((part) => part.type === 'call')
    return [{ id, at, role, until: firstCall ? firstCall.call.createdAt : null, parts }]
  })
}

function partOf(part: Part, calls: ReadonlyMap<string, ToolCall>): ReplayPart[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return [{ type: 'image', src: `data:${part.mimeType};base64,${part.data}`, name: part.name ?? 'Image' }]
    case 'file':
      return [{ type: 'note', text: `File: ${part.name}` }]
    case 'error':
      return [{ type: 'note', text: part.error.message }]
    case 'notice':
      return [{ type: 'note', text: noticeText(part.notice) }]
    case 'reasoning':
      return []
    case 'call': {
      const call = calls.get(part.callId)
      return call ? [{ type: 'call', call: callOf(call) }] : []
    }
  }
}

const noticeText = (notice: Notice): string =>
  'forUser' in notice && notice.forUser ? notice.forUser : (notice.text.split('\n', 1)[0] ?? '')

function callOf({ name, gist, createdAt, startedAt, endedAt, grant, state }: ToolCall): ReplayCall {
  const ended = ['done', 'failed', 'denied', 'aborted'] as const
  const display = 'display' in state ? state.display : undefined
  return {
    name,
    gist,
    createdAt,
    startedAt,
    endedAt,
    asked: grant?.by === 'user' || state.status === 'awaiting' || state.status === 'denied',
    outcome: ended.find((each) => each === state.status) ?? 'open',
    terminalId: display?.type === 'process' ? display.processId : null,
  }
}
