import type { Readable, Writable } from 'node:stream'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Engine } from '../engine'
import type { CallOutcome } from '../tools/call-outcome'

/** Who is served, and where its calls are made. */
interface Serving {
  input: Readable
  output: Writable
  workspace: string
  /** The session that the calls belong to; otherwise one is made with the first call. */
  sessionId?: string
  mode?: ApprovalMode
  sandbox?: boolean
  toolset?: string
  /** Stops serving. */
  signal: AbortSignal
}

/** A client that waits for long commands is told now and then that they are still running. */
const progressMs = 5_000
/** Names more tools for a model; over MCP all of them are listed. */
const notServed = new Set(['MoreTools'])

/**
 * Serves the tools of a vocabulary as an MCP server, until the client leaves. Every call goes through the session's own
 * dispatch: gate, terminals, receipts. Answers with the session that was made for it, if any.
 */
export async function serveTools(engine: Engine, serving: Serving): Promise<string | null> {
  const [{ Server }, { serveStdio, StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  let made: string | null = null
  const sessionFor = (client: string | undefined): string => {
    if (serving.sessionId !== undefined) return serving.sessionId
    made ??= engine.createSession({
      workspace: serving.workspace,
      title: client ? `${client.slice(0, 80)} (MCP)` : 'MCP client',
      mode: serving.mode,
      ...(serving.sandbox && { sandbox: true }),
      ...(serving.toolset && { toolset: serving.toolset }),
    }).id
    return made
  }
  const toolsetName = (): string => {
    const session = serving.sessionId === undefined ? null : engine.store.sessions.find(serving.sessionId)
    return session?.toolset ?? serving.toolset ?? engine.settings.current().defaultToolset
  }

  const transport = new StdioServerTransport(serving.input, serving.output)
  const handle = serveStdio(
    () => {
      const server = new Server(
        { name: 'deckhand', title: 'Deckhand', version: engine.version },
        { capabilities: { tools: {} }, instructions },
      )
      server.setRequestHandler('tools/list', () => ({ tools: listTools(engine, toolsetName(), serving.workspace) }))
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const signal = AbortSignal.any([mcpReq.signal, serving.signal])
        const client = server.getClientVersion()
        const sessionId = sessionFor(client?.title ?? client?.name)
        const token = mcpReq._meta?.progressToken
        let ticks = 0
        const timer =
          token === undefined
            ? null
            : setInterval(() => {
                const progress = { progressToken: token, progress: ++ticks, message: 'Still running' }
                void mcpReq.notify({ method: 'notifications/progress', params: progress }).catch(() => {
                  // The client has gone; its calls end by the signal.
                })
              }, progressMs)
        try {
          const given = JSON.stringify(params.arguments ?? {})
          return resultOf(await engine.runner.call(sessionId, params.name, given, { signal }))
        } finally {
          if (timer) clearInterval(timer)
        }
      })
      return server
    },
    { transport, onerror: (error) => engine.log.warn('An MCP client sent something unexpected', { error }) },
  )
  await gone(serving)
  await handle.close()
  return made
}

const instructions =
  'Tools of Deckhand. Commands run in live terminals that the user can see and type into; what matters waits for their approval, and changes can be undone.'

function listTools(engine: Engine, toolset: string, workspace: string) {
  const foreign = engine.mcp.tools(workspace)
  return [...engine.toolset(toolset).tools]
    .filter(([name]) => !notServed.has(name) && !foreign.has(name))
    .map(([name, { description, schema, readOnly }]) => ({
      name,
      description,
      inputSchema: schema as { type: 'object' },
      annotations: { readOnlyHint: readOnly },
    }))
}

const resultOf = ({ content, isError }: CallOutcome) => ({
  content: content.map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'image' as const, data: part.data, mimeType: part.mimeType },
  ),
  ...(isError && { isError }),
})

/** Settles when the client has left or serving was stopped. */
function gone({ input, output, signal }: Serving): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || input.destroyed || input.readableEnded) return resolve()
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve())
    for (const event of ['close', 'error']) output.once(event, () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
