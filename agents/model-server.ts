import { appendFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model server for real agents, in three dialects: Chat Completions, Messages and Responses. It does what the last
 * message of the user says: RUN: a command, OWN: a command by the tools that the client gave, WRITE: a file and its words, WAIT: nothing until it is stopped. Anything else
 * it answers with words.
 */

// biome-ignore lint/suspicious/noExplicitAny: it looks at whatever was sent
type Body = any

interface OfferedTool {
  name: string
  properties: Record<string, unknown>
}

type Move = { say: string } | { call: string; arguments: Record<string, unknown> } | 'wait'

export async function serveModel() {
  const waiting = new Set<ServerResponse>()
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const path = (request.url ?? '').replace(/\?.*/, '').replace(/^\/v1/, '')
    paths.push(path)
    const dialect = dialects.get(path)
    if (!dialect || request.method !== 'POST') {
      response.writeHead(path === '/models' ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [{ id: 'scripted', object: 'model' }] }))
      return
    }
    const body = JSON.parse(text || '{}')
    const trace = process.env.DECKHAND_AGENT_LOG
    if (trace) appendFileSync(`${trace}.model`, `${path} ${JSON.stringify(body)}\n`)
    const move = nextMove(dialect.past(body), dialect.tools(body), dialect.lastResult?.(body) ?? '')
    if (move === 'wait') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': still thinking\n\n')
      waiting.add(response)
      return
    }
    dialect.reply(response, body, move)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    waits: () => waiting.size > 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Agents put reminders of their own behind what the user said, and behind the result of a call: the last order counts. */
function nextMove(past: Past[], tools: OfferedTool[], lastResult: string): Move {
  const at = past.findLastIndex((each) => each !== 'result' && /(?:RUN|OWN|WRITE|WAIT): |Hello again/.test(each))
  const results = past.slice(at + 1).filter((each) => each === 'result').length
  const said = past[at] ?? ''
  // Agents may send what they were told before a stop along with what they are told after it.
  if (said.includes('Hello again')) return { say: 'Hello from the model.' }
  const order = /(RUN|OWN|WRITE|WAIT): ?([^\n]*)/.exec(said)
  if (order?.[1] === 'WAIT') return 'wait'
  const searches = order?.[1] === 'OWN' && !tools.some(isOwn) && tools.some(({ name }) => name === search)
  const answered = results > (searches ? 1 : 0)
  if (!order || answered || tools.length === 0) return { say: answered ? 'That is done.' : 'Hello from the model.' }
  const [, verb, rest = ''] = order
  if (verb === 'RUN')
    return shellCall(
      tools.filter((tool) => !isOwn(tool)),
      rest,
    )
  if (searches) return searchedCall(lastResult, results, rest)
  if (verb === 'OWN') return shellCall(tools.filter(isOwn), rest)
  const [path = '', ...words] = rest.split(' ')
  const write = tools.find(
    (tool) => !isOwn(tool) && /^(?:write|Write|write_file|create_file|.*__write)$/.test(tool.name),
  )
  if (!write)
    return shellCall(
      tools.filter((tool) => !isOwn(tool)),
      `printf %s '${words.join(' ')}' > ${path}`,
    )
  return {
    call: write.name,
    arguments: { [argument(write, /path/i)]: path, [argument(write, /content|text/i)]: words.join(' ') },
  }
}

/** Qwen Code keeps the tools of servers back: they are searched for, and called through another tool. */
const search = 'tool_search'
function searchedCall(found: string, results: number, command: string): Move {
  if (results === 0) return { call: search, arguments: { query: '+deckhand bash', max_results: 10 } }
  const name = /"name": ?"([^"]*deckhand[^"]*Bash)"/.exec(found)?.[1]
  return name ? { call: 'tool_call', arguments: { name, arguments: { command } } } : { say: `Not found: ${found}` }
}

/** One of Deckhand's, which the agent was given as a server. */
const isOwn = ({ name }: OfferedTool): boolean => /deckhand/.test(name)

function shellCall(tools: OfferedTool[], command: string): Move {
  const shell = tools.find(({ name }) => /bash|shell|exec_command|execute/i.test(name))
  if (!shell) return { say: `No shell among ${tools.map(({ name }) => name).join(', ')}` }
  const key = argument(shell, /^(?:command|cmd)$/)
  const isList = (shell.properties[key] as Body)?.type === 'array'
  const given: Record<string, unknown> = { [key]: isList ? ['sh', '-c', command] : command }
  if ('description' in shell.properties) given.description = 'A command'
  if ('is_background' in shell.properties) given.is_background = false
  // Codex runs what does not ask to leave its own sandbox there, without a question.
  if ('sandbox_permissions' in shell.properties) {
    given.sandbox_permissions = 'require_escalated'
    given.justification = 'May it be run?'
  }
  return { call: shell.name, arguments: given }
}

const argument = ({ properties }: OfferedTool, like: RegExp): string =>
  Object.keys(properties).find((key) => like.test(key)) ?? 'command'

/** What the user said, or that a call was answered. */
type Past = 'result' | (string & {})

interface Dialect {
  past(body: Body): Past[]
  tools(body: Body): OfferedTool[]
  /** What the last call was answered with. */
  lastResult?(body: Body): string
  reply(response: ServerResponse, body: Body, move: Exclude<Move, 'wait'>): void
}

const textOf = (content: Body): string =>
  typeof content === 'string' ? content : (content ?? []).map((part: Body) => part.text ?? '').join('\n')

const send = (response: ServerResponse, events: Body[], named: boolean): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(`${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  response.end(named ? '' : 'data: [DONE]\n\n')
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
let count = 0

const chat: Dialect = {
  lastResult: ({ messages }) => textOf(messages.findLast(({ role }: Body) => role === 'tool')?.content ?? ''),
  past: ({ messages }) =>
    messages.flatMap(({ role, content }: Body) =>
      role === 'user' ? textOf(content) : role === 'tool' ? 'result' : [],
    ),
  tools: ({ tools = [] }) =>
    tools.map((tool: Body) => ({ name: tool.function.name, properties: tool.function.parameters?.properties ?? {} })),
  reply: (response, body, move) => {
    const base = { id: `r${++count}`, object: 'chat.completion.chunk', created: 1, model: 'scripted' }
    const call =
      'call' in move
        ? [
            {
              index: 0,
              id: `call_${count}`,
              type: 'function',
              function: { name: move.call, arguments: JSON.stringify(move.arguments) },
            },
          ]
        : undefined
    const content = 'say' in move ? move.say : null
    const finish = call ? 'tool_calls' : 'stop'
    if (!body.stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content, ...(call && { tool_calls: call }) }
      response.end(
        JSON.stringify({
          ...base,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: finish }],
          usage,
        }),
      )
      return
    }
    send(
      response,
      [
        {
          ...base,
          choices: [
            { index: 0, delta: { role: 'assistant', content, ...(call && { tool_calls: call }) }, finish_reason: null },
          ],
        },
        { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
        { ...base, choices: [], usage },
      ],
      false,
    )
  },
}

const messages: Dialect = {
  past: ({ messages }) =>
    messages.flatMap(({ role, content }: Body) =>
      role === 'user' ? (isResult(content) ? 'result' : textOf(content)) : [],
    ),
  tools: ({ tools = [] }) =>
    tools.map((tool: Body) => ({ name: tool.name, properties: tool.input_schema?.properties ?? {} })),
  reply: (response, body, move) => {
    const block =
      'call' in move
        ? { type: 'tool_use', id: `toolu_${++count}`, name: move.call, input: move.arguments }
        : { type: 'text', text: move.say }
    const stop = 'call' in move ? 'tool_use' : 'end_turn'
    const tokens = { input_tokens: 100, output_tokens: 10 }
    const whole = {
      id: `msg_${++count}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [block],
      stop_reason: stop,
      stop_sequence: null,
      usage: tokens,
    }
    if (!body.stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(whole))
      return
    }
    const opened = 'call' in move ? { ...block, input: {} } : { type: 'text', text: '' }
    const delta =
      'call' in move
        ? { type: 'input_json_delta', partial_json: JSON.stringify(move.arguments) }
        : { type: 'text_delta', text: move.say }
    send(
      response,
      [
        { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: opened },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: tokens },
        { type: 'message_stop' },
      ],
      true,
    )
  },
}

const isResult = (content: Body): boolean =>
  Array.isArray(content) && content.some(({ type }) => type === 'tool_result')

const responses: Dialect = {
  past: ({ input }) =>
    typeof input === 'string'
      ? [input]
      : input.flatMap(({ role, type, content }: Body) =>
          role === 'user' ? textOf(content) : /function_call_output|tool_call_output/.test(type ?? '') ? 'result' : [],
        ),
  tools: ({ tools = [] }) =>
    tools.flatMap((tool: Body) =>
      tool.type === 'namespace'
        ? tool.tools.map((each: Body) => ({
            name: `${tool.name}::${each.name}`,
            properties: each.parameters?.properties ?? {},
          }))
        : tool.name
          ? [{ name: tool.name, properties: tool.parameters?.properties ?? {} }]
          : [],
    ),
  reply: (response, _, move) => {
    const id = `resp_${++count}`
    const item =
      'call' in move
        ? {
            type: 'function_call',
            id: `fc_${count}`,
            call_id: `call_${count}`,
            ...namespaced(move.call),
            arguments: JSON.stringify(move.arguments),
            status: 'completed',
          }
        : {
            type: 'message',
            id: `msg_${count}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: move.say, annotations: [] }],
          }
    const done = {
      id,
      object: 'response',
      status: 'completed',
      model: 'scripted',
      output: [item],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 110,
      },
    }
    send(
      response,
      [
        { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        ...('say' in move
          ? [
              {
                type: 'response.output_text.delta',
                item_id: item.id,
                output_index: 0,
                content_index: 0,
                delta: move.say,
              },
            ]
          : []),
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: done },
      ],
      true,
    )
  },
}

/** Tools of servers stand in a space of names of their own. */
const namespaced = (call: string) => {
  const [first = '', second] = call.split('::')
  return second === undefined ? { name: first } : { name: second, namespace: first }
}

const dialects = new Map<string, Dialect>([
  ['/chat/completions', chat],
  ['/messages', messages],
  ['/responses', responses],
])
