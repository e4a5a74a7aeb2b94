import { claudeRefusal, type Endpoint, type VendorRequest } from './vendors'

// biome-ignore lint/suspicious/noExplicitAny: stand-ins look at whatever was sent
type Body = any

const thought = { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmF0dXJl' }
const hidden = { type: 'redacted_thinking', data: 'aGlkZGVu' }

/** The rules of a generation of Claude, as its refusals state them. */
export interface Generation {
  thinking: 'adaptive-only' | 'adaptive' | 'budget' | 'none'
  efforts: readonly string[]
  /** Refuses sampling parameters, a forced tool and a last message of the assistant's. */
  strict?: boolean
  /** Thoughts are bound to the conversation before them. */
  bound?: boolean
}

export const claude =
  (rules: Generation): Endpoint =>
  (request) => {
    const { body } = request
    const refused = check(rules, request)
    if (refused) return claudeRefusal(refused)
    const answered = body.messages.at(-1).content.some((block: Body) => block.type === 'tool_result')
    if (answered) return { events: message([{ type: 'text', text: 'Done.' }], 'end_turn'), named: true }
    const thinks = body.thinking?.type === 'adaptive' || body.thinking?.type === 'enabled' || rules.strict
    const call = { type: 'tool_use', id: 'toolu_01AbCdEf', name: 'Read', input: { path: 'a.txt' } }
    const blocks = [
      ...(thinks ? [thought, hidden] : []),
      { type: 'text', text: 'Reading. ' },
      ...(thinks ? [{ ...thought, signature: 'c2Vjb25k' }] : []),
      call,
    ]
    return { events: message(blocks, 'tool_use'), named: true }
  }

const check = (rules: Generation, { body, headers }: VendorRequest): string | null => {
  const { thinking, output_config, messages } = body
  if (thinking?.type === 'enabled' && rules.thinking === 'adaptive-only')
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
  if (thinking?.type === 'disabled' && rules.thinking === 'adaptive-only')
    return '"thinking.type.disabled" is not supported for this model.'
  if (thinking?.type === 'adaptive' && (rules.thinking === 'budget' || rules.thinking === 'none'))
    return 'adaptive thinking is not supported on this model'
  if (thinking && rules.thinking === 'none') return 'thinking is not supported on this model'
  if (thinking?.type === 'enabled' && body.max_tokens <= thinking.budget_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  if (output_config && !rules.efforts.includes(output_config.effort))
    return 'This model does not support the effort parameter.'
  if (rules.strict && ['temperature', 'top_p', 'top_k'].some((name) => name in body))
    return 'Sampling parameters are not supported for this model.'
  if (rules.strict && body.tool_choice) return 'Forced tool use is not supported for this model.'
  if (rules.strict && messages.at(-1).role === 'assistant')
    return 'This model does not support assistant message prefill.'
  return checkThoughts(rules, body, headers['anthropic-beta'])
}

/** With results of calls, the thoughts of the message that made them have to be there, word for word and in their order. */
const checkThoughts = (rules: Generation, { thinking, messages }: Body, beta: unknown): string | null => {
  const index = messages.findLastIndex(({ role }: Body) => role === 'assistant')
  if (index === -1 || !messages.at(-1).content.some((block: Body) => block.type === 'tool_result')) return null
  const at = messages[index].content.findIndex(
    (block: Body) => block.type === 'thinking' || block.type === 'redacted_thinking',
  )
  if (thinking?.type === 'enabled' && at !== 0)
    return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`text\`.`
  if (at === -1) return null
  const kinds = messages[index].content.map((block: Body) => block.type).join(' ')
  if (kinds !== 'thinking redacted_thinking text thinking tool_use')
    return `messages.${index}.content.${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
  const [first, second, , third] = messages[index].content
  if (first.signature !== thought.signature || second.data !== hidden.data || third.signature !== 'c2Vjb25k')
    return `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`
  // The stand-in takes a summary in the first message for a conversation that has changed.
  const changed = JSON.stringify(messages[0]).includes('summary of the conversation')
  const drops = thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block'
  if (drops && beta !== 'thinking-binding-controls-2026-08-01')
    return 'thinking.block_binding: Extra inputs are not permitted'
  if (rules.bound && changed && !drops)
    return `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`
  return null
}

const message = (blocks: Body[], stop_reason: string): object[] => [
  { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
  ...blocks.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: opened(block) },
    ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

const opened = (block: Body): object => {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  if (block.type === 'text') return { type: 'text', text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

const deltas = (block: Body): object[] => {
  if (block.type === 'thinking')
    return [
      { type: 'thinking_delta', thinking: block.thinking },
      { type: 'signature_delta', signature: block.signature },
    ]
  if (block.type === 'text') return [{ type: 'text_delta', text: block.text }]
  return block.type === 'tool_use' ? [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }] : []
}
