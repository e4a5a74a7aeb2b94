import type { Wire } from './scripted-model.ts'

/** The stream of /chat/completions: one JSON chunk an event, closed by [DONE]. */
export function openaiWire(request: { model?: string } | null): Wire {
  const chunk = (fields: object) => `data: ${JSON.stringify({ ...frame, ...fields })}\n\n`
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: request?.model ?? 'scripted' }
  const delta = (fields: object) => chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] })
  let index = 0
  return {
    begin: () => delta({ role: 'assistant', content: '' }),
    step(step) {
      if ('text' in step) return delta({ content: step.text })
      if ('reasoning' in step) return delta({ reasoning_content: step.reasoning })
      // Servers send the name first and the arguments in pieces; a client that expects them whole must fail here.
      const at = index++
      const half = Math.ceil(step.args.length / 2)
      const piece = (args: string) => delta({ tool_calls: [{ index: at, function: { arguments: args } }] })
      const named = { index: at, id: step.id, type: 'function', function: { name: step.call, arguments: '' } }
      return delta({ tool_calls: [named] }) + piece(step.args.slice(0, half)) + piece(step.args.slice(half))
    },
    end: (usage, why) =>
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: why === 'calls' ? 'tool_calls' : why }] }) +
      chunk({
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
        },
      }) +
      'data: [DONE]\n\n',
  }
}
