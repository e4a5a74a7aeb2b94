import { z } from 'zod'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import { present } from '../object-tool'
import type { Tool } from '../tool'
import { translateWebErrors } from './web-failure'
import { untrusted, type WebToolDeps } from './web-fetch'

const shape = inputShape(() =>
  z.object({
    query: z.string().refine((query) => query.trim() !== '', 'must not be empty'),
    count: z.int().min(1).max(20).optional().describe('Default 8'),
  }),
)

/** What a search declares to the gate and the card, in every vocabulary. */
export const searching: Pick<Tool<{ query: string }>, 'access' | 'gist'> = {
  access: ({ query }, { workspace }) => ({
    action: 'network',
    node: 'local',
    workspace,
    cwd: workspace,
    toolKey: 'web.search',
    shown: query,
  }),
  gist: ({ query }) => query.slice(0, 200),
}

/** Titles, addresses and snippets for a query. */
export function createWebSearchTool({ web, taint }: WebToolDeps): Tool<ReturnType<typeof shape.parse>> {
  return {
    description: 'Search the web. Read what looks right with WebFetch.',
    ...shape,
    readOnly: true,
    ...searching,
    async run({ query, count = 8 }, { signal, sessionId }) {
      const results = await translateWebErrors(() => present(web).search(query, count, signal))
      taint?.(sessionId)
      return {
        content: jsonContent({ query, note: untrusted, results }),
        display: {
          type: 'matches',
          rows: results.map(({ url, title }) => ({ path: url, text: title })),
          total: results.length,
        },
      }
    },
  }
}
