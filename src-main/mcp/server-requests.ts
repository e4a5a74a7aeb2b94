import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { watchCall } from './call-watch'
import type { CallOptions, Connection } from './connection-types'
import { promptMessage } from './prompts'
import { attachmentOf } from './resources'
import type { createRoots } from './roots'
import type { createServerQuestions } from './server-questions'

/** For a prompt or a resource. */
const readMs = 30_000
const silenceMs = 5 * 60_000
/** Includes the time that the user takes to answer. */
const longestCallMs = 24 * 60 * 60_000

interface CallParts {
  questions: ReturnType<typeof createServerQuestions>
  roots: ReturnType<typeof createRoots>
}

/** Calls a tool; ends when the server has been silent for too long, but not while the user is being asked. */
export async function callTool(
  client: Client,
  { questions, roots }: CallParts,
  tool: string,
  args: Record<string, unknown>,
  { signal, folder, onProgress, ask }: CallOptions,
): Promise<CallToolResult> {
  const watch = watchCall(signal, silenceMs)
  const enough = questions.during(watch, ask)
  try {
    // Later servers ask for the folder within the call.
    if (client.getProtocolEra() === 'legacy') await roots.enter(folder, () => client.sendRootsListChanged())
    else roots.set(folder)
    return await client.callTool(
      { name: tool, arguments: args },
      {
        signal: watch.signal,
        timeout: longestCallMs,
        onprogress: ({ progress, total, message }) => {
          watch.heard()
          onProgress([total ? `${progress} of ${total}` : `${progress}`, message].filter(Boolean).join(': '))
        },
      },
    )
  } finally {
    enough()
    await watch.end()
  }
}

/** What can be read from a running server. `running` throws if it is not. */
export const createReading = (running: () => Client): Pick<Connection, 'prompt' | 'resources' | 'read'> => ({
  prompt: async (name, args, signal) =>
    promptMessage(await running().getPrompt({ name, arguments: args }, { signal, timeout: readMs })),
  resources: async (signal) => {
    const client = running()
    if (!client.getServerCapabilities()?.resources) return []
    return (await client.listResources(undefined, { signal, timeout: readMs })).resources
  },
  read: async (uri, signal) => {
    const { contents } = await running().readResource({ uri }, { signal, timeout: readMs })
    return contents.map(attachmentOf)
  },
})
