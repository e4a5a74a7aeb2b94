import { type Endpoint, refusal } from './vendors'

// biome-ignore lint/suspicious/noExplicitAny: stand-ins look at whatever was sent
type Body = any

const callArguments = '{"path":"a.txt"}'

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const usage = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 5 } }

interface ChatVendor {
  /** How it tells its thoughts. */
  thoughts: object[]
  /** What it adds to the call, and wants back with it. */
  callExtra?: object
  /** Refuses the request, in its own words. */
  check?(body: Body): ReturnType<Endpoint> | null
}

/** Chat completions: a thought and a call, and with the result of the call an answer. */
export const chatEndpoint =
  ({ thoughts, callExtra, check }: ChatVendor): Endpoint =>
  ({ body }) => {
    const refused = check?.(body)
    if (refused) return refused
    if (body.messages.at(-1).role === 'tool')
      return { events: [chunk({ content: 'Done.' }), chunk({}, 'stop'), usage], done: true }
    const call = {
      index: 0,
      id: 'call_f00dfeed1234',
      type: 'function',
      function: { name: 'Read', arguments: callArguments },
    }
    return {
      events: [
        ...thoughts.map((delta) => chunk(delta)),
        chunk({ tool_calls: [{ ...call, ...callExtra }] }),
        chunk({}, 'tool_calls'),
        usage,
      ],
      done: true,
    }
  }

interface ResponsesVendor {
  /** The words that it thinks in, and whether they come back encrypted. */
  encrypted?: string
  check?(body: Body): ReturnType<Endpoint> | null
}

/** Responses: the same turn. With `encrypted`, the thought has to come back before its call. */
export const responsesEndpoint =
  ({ encrypted, check }: ResponsesVendor): Endpoint =>
  ({ body }) => {
    const refused = check?.(body)
    if (refused) return refused
    const thought = encrypted
      ? {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          encrypted_content: encrypted,
        }
      : {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          content: [{ type: 'reasoning_text', text: 'Hm.' }],
          encrypted_content: null,
        }
    if (body.input.at(-1).type === 'function_call_output') {
      const back = body.input.find((item: Body) => item.type === 'reasoning')
      if (encrypted && back?.encrypted_content !== encrypted)
        return refusal('The encrypted thought of this turn is missing.', 'input')
      const item = {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.' }],
      }
      return { events: [delta('output_text', 'Done.', 0), done(item, 0), completed], named: true }
    }
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_f00dfeed1234',
      name: 'Read',
      arguments: callArguments,
      status: 'completed',
    }
    return {
      events: [
        delta(encrypted ? 'reasoning_summary_text' : 'reasoning_text', 'Hm.', 0),
        done(thought, 0),
        delta('function_call_arguments', callArguments, 1),
        done(call, 1),
        completed,
      ],
      named: true,
    }
  }

const delta = (kind: string, text: string, output_index: number) => ({
  type: `response.${kind}.delta`,
  delta: text,
  output_index,
})
const done = (item: object, output_index: number) => ({ type: 'response.output_item.done', item, output_index })
const completed = {
  type: 'response.completed',
  response: {
    status: 'completed',
    output: [],
    usage: {
      input_tokens: 20,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 8 },
      output_tokens_details: { reasoning_tokens: 3 },
    },
  },
}

/** What OpenAI says from gpt-5.4 on when tools and an effort come together, and from 5.6 on when no effort is sent. */
export const toolsNeedResponses = (model: string) =>
  refusal(
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
    'reasoning_effort',
  )

export const unsupported = (name: string) =>
  refusal(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter')
