import type { Client, Prompt, Tool } from '@modelcontextprotocol/client'
import type { ConnectionOptions } from './connection-types'
import type { createRoots } from './roots'
import type { createServerQuestions } from './server-questions'

/**
 * `auto`: asks the server first whether it supports the protocol of 2026-07-28, and otherwise uses that of 2025.
 * `legacy`: does not ask, since the server is known to be older.
 */
export type Era = 'auto' | 'legacy'

/**
 * How long a server may take to answer that question. A local program that stays silent counts as one that does not
 * know it; an address that stays silent counts as unreachable.
 */
const probeMs = { stdio: 3000, http: 30_000, none: 0 }

interface ClientParts extends Pick<ConnectionOptions, 'version' | 'root' | 'log'> {
  era: Era
  transport: keyof typeof probeMs
  questions: ReturnType<typeof createServerQuestions>
  roots: ReturnType<typeof createRoots>
  onTools(failure: Error | null, list: Tool[] | null): void
  onPrompts(failure: Error | null, list: Prompt[] | null): void
}

/**
 * A client that is not connected yet. The server may show forms to the user and ask for the folder. It cannot use our
 * model: the user would pay for text that nobody sees.
 */
export async function makeClient(parts: ClientParts): Promise<Client> {
  const { era, questions, roots, log } = parts
  const { Client: McpClient } = await import('@modelcontextprotocol/client')
  const made = new McpClient(
    { name: 'deckhand', version: parts.version },
    {
      versionNegotiation: { mode: era, probe: { timeoutMs: probeMs[parts.transport] } },
      capabilities: { elicitation: { form: {} }, ...(parts.root && { roots: { listChanged: true } }) },
      listChanged: {
        tools: { onChanged: parts.onTools },
        prompts: { onChanged: parts.onPrompts },
      },
    },
  )
  made.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => questions.answer(params, mcpReq.signal))
  if (parts.root) made.setRequestHandler('roots/list', () => roots.list())
  made.onerror = (failure) => log('deckhand', failure.message.slice(0, 2000))
  made.setNotificationHandler('notifications/message', ({ params }) =>
    log('server', `${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`),
  )
  return made
}

/** Whether the question for the protocol may be what made the server fail: it ended, or answered with an error. */
export const mayBeOlder = (failure: unknown, transport: 'stdio' | 'http' | 'none'): boolean =>
  failure instanceof Error &&
  'code' in failure &&
  failure.code === 'ERA_NEGOTIATION_FAILED' &&
  (transport === 'stdio' || 'status' in failure)
