import type { Wire } from './scripted-model.ts'

const reasons = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens' }

/** The stream of /messages: named events, one content block after the other. */
export function anthropicWire(request: { model?: string } | null): Wire {
  const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  let index = -1
  let open: 'text' | 'thinking' | undefined
  const start = (block: object) => {
    index += 1
    return event('content_block_start', { index, content_block: block })
  }
  const delta = (fields: object) => event('content_block_delta', { index, delta: fields })
  const stop = () => event('content_block_stop', { index })
  const close = () => {
    const written = open ? stop() : ''
    open = undefined
    return written
  }
  const within = (kind: 'text' | 'thinking', block: object) => {
    if (open === kind) return ''
    const written = close() + start(block)
    open = kind
    return written
  }
  return {
    begin: () =>
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: request?.model ?? 'scripted',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
    step(step) {
      if ('text' in step) {
        return within('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text: step.text })
      }
      if ('reasoning' in step) {
        const block = within('thinking', { type: 'thinking', thinking: '', signature: '' })
        return block + delta({ type: 'thinking_delta', thinking: step.reasoning })
      }
      const half = Math.ceil(step.args.length / 2)
      const piece = (json: string) => delta({ type: 'input_json_delta', partial_json: json })
      const begun = close() + start({ type: 'tool_use', id: step.id, name: step.call, input: {} })
      return begun + piece(step.args.slice(0, half)) + piece(step.args.slice(half)) + stop()
    },
    end: (usage, why) =>
      close() +
      event('message_delta', {
        delta: { stop_reason: reasons[why], stop_sequence: null },
        usage: {
          input_tokens: usage.input,
          output_tokens: usage.output,
          cache_read_input_tokens: usage.cached ?? 0,
        },
      }) +
      event('message_stop', {}),
  }
}
