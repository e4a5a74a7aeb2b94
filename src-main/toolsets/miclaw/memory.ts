import { z } from 'zod'
import {
  lineNumber,
  type MemoryDeps,
  maxResults,
  minScore,
  readMemory,
  readsMemory,
  searchMemory,
} from '../../tools/agents/memory'
import { inputShape } from '../../tools/input'
import { textContent } from '../../tools/text-content'
import type { Tool } from '../../tools/tool'

const searchShape = inputShape(() =>
  z.object({
    query: z.string().trim().min(1),
    max_results: maxResults.describe('Default 6'),
    min_score: minScore.describe('Default 0.35'),
  }),
)
const getShape = inputShape(() =>
  z.object({
    path: z.string().min(1),
    from: lineNumber.describe('First line'),
    lines: lineNumber.describe('How many'),
  }),
)

/** Both only read, so a sub-agent has them too. */
export function miclawMemoryTools(deps: MemoryDeps): [string, Tool][] {
  const search: Tool<ReturnType<typeof searchShape.parse>> = {
    description: 'Search MEMORY.md and memory/*.md by meaning. Returns path:lines, score and text, the best first.',
    ...searchShape,
    readOnly: true,
    access: readsMemory,
    gist: ({ query }) => query,
    async run({ query, max_results, min_score }, context) {
      const wish = { query, maxResults: max_results, minScore: min_score }
      const { results, note, display } = await searchMemory(deps, wish, context)
      const found = results.map(
        ({ path, startLine, endLine, score, snippet }) =>
          `${path}:${startLine}-${endLine} (score ${score.toFixed(3)})\n${snippet}`,
      )
      const nothing = note === null ? 'Nothing found.' : `Nothing found so far. ${note}`
      return {
        content: textContent(found.length > 0 ? [...found, ...(note === null ? [] : [note])].join('\n\n') : nothing),
        display,
      }
    },
  }
  const get: Tool<ReturnType<typeof getShape.parse>> = {
    description: 'Read lines of a memory file.',
    ...getShape,
    readOnly: true,
    access: readsMemory,
    gist: ({ path, from }) => (from === undefined ? path : `${path}:${from}`),
    async run(input, context) {
      const { found, display } = await readMemory(deps, input, context)
      return { content: textContent(found.text), display }
    },
  }
  return [
    ['memory_search', search],
    ['memory_get', get],
  ]
}
