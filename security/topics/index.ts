import { crashTopics } from './crash'
import { gatewayTopics } from './gateway'
import { callTopics, cronTopics, injectionTopics, mcpTopics, secretTopics, shownTopics } from './others'
import { outputTopics } from './output'
import { providerTopics } from './provider'
import type { Topic } from './topic'

/** By class. The first topic that fits decides. */
export const topics: ReadonlyMap<string, readonly Topic[]> = new Map(
  Object.entries({
    'websocket-gateway': gatewayTopics,
    'provider-stream': providerTopics,
    'crash-fault': crashTopics,
    'output-robustness': outputTopics,
    'mcp-abuse': mcpTopics,
    'secret-leak': secretTopics,
    'prompt-injection': injectionTopics,
    'cron-remote': cronTopics,
    'ipc-abuse': callTopics,
    'chat-xss': shownTopics,
  }),
)
