// An agent for tests, written on the official SDK: it does what the prompt says, a JSON list of steps, and nothing else.
// Options by environment: AGENT_STATE=FILE keeps its sessions, so that it can load them; AGENT_SIGN_IN=1 wants a sign-in;
// AGENT_FORK=1 can branch off sessions, or FAIL says that it can; AGENT_SILENT=1 never answers; AGENT_WRONG_VERSION=1 speaks another version.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

const { AGENT_STATE, AGENT_FORK, AGENT_SIGN_IN, AGENT_SILENT, AGENT_WRONG_VERSION, AGENT_STARTS } = process.env
if (AGENT_STARTS) appendFileSync(AGENT_STARTS, `${process.pid}\n`)
/** The sign-in in a terminal: the same program with other arguments. */
if (process.argv.includes('login')) {
  console.log(`Signed in: ${process.argv.slice(2).join(' ')}, ${process.env.LOGIN}`)
  process.exit(0)
}
const cancelled = new Map()
const servers = new Map()
let signedIn = !AGENT_SIGN_IN

const modes = {
  currentModeId: 'careful',
  availableModes: [
    { id: 'careful', name: 'Careful', description: 'Asks first' },
    { id: 'quick', name: 'Quick' },
  ],
}
const models = (currentValue) => [
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue,
    options: [
      { value: 'small', name: 'Small' },
      { value: 'large', name: 'Large' },
    ],
  },
]

const signIns = {
  key: { id: 'key', name: 'With a key' },
  terminal: { id: 'login', name: 'Log in', type: 'terminal', args: ['login', '--here'], env: { LOGIN: 'yes' } },
}

const answers = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'ever', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

/** What the client's answer was, told as text, so that a test can read it in the transcript. */
const steps = {
  say: (text, { tell }) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
  think: (text, { tell }) => tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  image: (data, { tell }) =>
    tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data, mimeType: 'image/png' } }),
  update: (update, { tell }) => tell(update),
  call: (fields, { tell }) => tell({ sessionUpdate: 'tool_call', title: 'A call', ...fields }),
  progress: (fields, { tell }) => tell({ sessionUpdate: 'tool_call_update', ...fields }),
  flood: async ({ count, kind = 'agent_message_chunk' }, { tell }) => {
    for (let n = 0; n < count; n++)
      await tell(
        kind === 'tool_call'
          ? { sessionUpdate: kind, toolCallId: `flood-${n}`, title: `Call ${n}`, status: 'in_progress' }
          : { sessionUpdate: kind, content: { type: 'text', text: 'x'.repeat(10_000) } },
      )
  },
  ask: async ({ options = answers, ...toolCall }, { client, sessionId, say }) => {
    const { outcome } = await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options })
    await say(`[${outcome.outcome}${outcome.optionId ? ` ${outcome.optionId}` : ''}]`)
    return outcome
  },
  /** Runs a command in the client's terminal and tells its output. */
  terminal: async ({ keep, as, ...request }, { client, sessionId, say, tell }) => {
    try {
      const { terminalId } = await client.request(methods.client.terminal.create, { sessionId, ...request })
      if (as)
        await tell({
          sessionUpdate: 'tool_call_update',
          toolCallId: as,
          status: 'in_progress',
          content: [{ type: 'terminal', terminalId }],
        })
      if (keep) return
      const { exitCode } = await client.request(methods.client.terminal.waitForExit, { sessionId, terminalId })
      const { output } = await client.request(methods.client.terminal.output, { sessionId, terminalId })
      await say(`[exit ${exitCode}: ${output.trim()}]`)
      await client.request(methods.client.terminal.release, { sessionId, terminalId })
    } catch (error) {
      await say(`[refused: ${error.data?.details ?? error.message}]`)
    }
  },
  /** Calls a tool of the server that the client gave it. */
  tool: async ({ name, quiet, ...given }, { sessionId, say, tell, client }) => {
    const [server] = servers.get(sessionId) ?? []
    const { Client } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const mcp = new Client({ name: 'scripted', version: '1' })
    const env = Object.fromEntries(server.env.map((each) => [each.name, each.value]))
    await mcp.connect(new StdioClientTransport({ command: server.command, args: server.args, env }))
    const toolCallId = `tool-${name}`
    const call = { toolCallId, title: `${server.name}__${name}`, kind: 'other', rawInput: given, status: 'pending' }
    if (!quiet) {
      await tell({ sessionUpdate: 'tool_call', ...call })
      await client.request(methods.client.session.requestPermission, { sessionId, toolCall: call, options: answers })
      await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
    }
    const { content } = await mcp.callTool({ name, arguments: given })
    await say(`[${name}: ${content.map((part) => part.text).join('')}]`)
    if (!quiet) await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' })
    await mcp.close()
  },
  read: async (request, { client, sessionId, say }) => {
    try {
      const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, ...request })
      await say(`[read: ${content}]`)
    } catch (error) {
      await say(`[refused: ${error.message}]`)
    }
  },
  write: async (request, { client, sessionId, say }) => {
    try {
      await client.request(methods.client.fs.writeTextFile, { sessionId, ...request })
      await say('[written]')
    } catch (error) {
      await say(`[refused: ${error.message}]`)
    }
  },
  /** Changes a file by itself, without asking anybody. */
  change: ({ path, content }) => writeFileSync(path, content),
  /** Reads, writes or gets something by itself, and tells what came of it. */
  attempt: async ({ read, write, get }, { say }) => {
    try {
      if (write) writeFileSync(write, 'written')
      const got = read ? readFileSync(read, 'utf8') : get ? await (await fetch(get)).text() : ''
      await say(`[${write ? `wrote ${write}` : got}]`)
    } catch (error) {
      await say(`[failed ${error.cause?.code ?? error.code ?? error.name} ${read ?? write ?? get}]`)
    }
  },
  /** A request for a session that the client does not have. */
  stranger: async (_, { client, say }) => {
    try {
      await client.request(methods.client.fs.readTextFile, { sessionId: 'invented', path: '/etc/passwd' })
      await say('[answered]')
    } catch (error) {
      await say(`[refused: ${error.message}]`)
    }
  },
  raw: (line) => new Promise((done) => process.stdout.write(`${line}\n`, () => done())),
  sleep: (ms) => sleep(ms),
  /** Waits until the turn is cancelled. */
  wait: (_, { stop }) => stop.promise,
  /** Goes on as if nothing had been said about a stop. */
  ignore: () => new Promise(() => {}),
  die: (code) => process.exit(code),
}

const known = () => (AGENT_STATE && existsSync(AGENT_STATE) ? readFileSync(AGENT_STATE, 'utf8').split('\n') : [])

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, async () => {
    if (AGENT_SILENT) await new Promise(() => {})
    return {
      protocolVersion: AGENT_WRONG_VERSION ? 99 : 1,
      agentInfo: { name: 'scripted', version: '1.2.3' },
      agentCapabilities: {
        loadSession: Boolean(AGENT_STATE),
        promptCapabilities: { image: true },
        ...(AGENT_FORK && { sessionCapabilities: { fork: {} } }),
      },
      authMethods: AGENT_SIGN_IN ? [signIns[AGENT_SIGN_IN] ?? signIns.key] : [],
    }
  })
  .onRequest(methods.agent.authenticate, () => {
    signedIn = true
    return {}
  })
  .onRequest(methods.agent.session.new, ({ params: { mcpServers }, client }) => {
    if (!signedIn) throw RequestError.authRequired()
    const sessionId = `remote-${process.pid}-${Date.now()}`
    servers.set(sessionId, mcpServers)
    if (AGENT_STATE) appendFileSync(AGENT_STATE, `${sessionId}\n`)
    const availableCommands = [
      { name: 'review', description: 'Looks at the changes', input: { hint: 'what to look for' } },
    ]
    setImmediate(() =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'available_commands_update', availableCommands },
      }),
    )
    return { sessionId, modes, configOptions: models('small') }
  })
  .onRequest(methods.agent.session.load, async ({ params: { sessionId, mcpServers }, client }) => {
    servers.set(sessionId, mcpServers)
    if (!known().includes(sessionId)) throw RequestError.resourceNotFound(sessionId)
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'REPLAYED' } },
    })
    return { modes }
  })
  .onRequest(
    'session/fork',
    (params) => params,
    ({ params: { sessionId, mcpServers } }) => {
      if (AGENT_FORK === 'FAIL' || !known().includes(sessionId)) throw RequestError.resourceNotFound(sessionId)
      const forked = `fork-of-${sessionId}`
      servers.set(forked, mcpServers)
      appendFileSync(AGENT_STATE, `${forked}\n`)
      return { sessionId: forked, modes, configOptions: models('large') }
    },
  )
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    modes.currentModeId = params.modeId
    return {}
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => ({ configOptions: models(params.value) }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const stop = {}
    stop.promise = new Promise((resolve) => {
      stop.resolve = resolve
    })
    cancelled.set(sessionId, stop)
    let over = false
    void stop.promise.then(() => {
      over = true
    })
    const tell = (update) => client.notify(methods.client.session.update, { sessionId, update })
    const say = (text) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
    const text = prompt.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n')
    const script = prompt.at(-1)?.text ?? ''
    if (!script.startsWith('[')) {
      await say(`I heard${sessionId.startsWith('fork-of-') ? ' in a fork' : ''}: ${text}`)
      return { stopReason: 'end_turn' }
    }
    for (const step of JSON.parse(script)) {
      if (over) return { stopReason: 'cancelled' }
      const [[name, given]] = Object.entries(step)
      if (name === 'end') return { stopReason: given }
      await steps[name](given, { client, sessionId, tell, say, stop })
    }
    return { stopReason: over ? 'cancelled' : 'end_turn' }
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => cancelled.get(params.sessionId)?.resolve())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
