import { z } from 'zod'
import { secretReason } from '../../approval/paths/secret-paths'
import type { SearchRequest, SearchResult } from '../../nodes/files/node-files'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import type { Tool, ToolContext, ToolResult } from '../tool'
import { accessToOne, displayPath, resolvePath } from './paths'

export const maxMatches = 100

const shape = inputShape(() =>
  z.object({
    pattern: z.string().describe('Regular expression (Rust syntax)'),
    path: z.string().optional().describe('Default: the workspace'),
    include: z.string().optional().describe('File names, such as *.{ts,tsx}'),
  }),
)

type GrepInput = ReturnType<typeof shape.parse>

/** Searches lines by content. */
export function createGrepTool({ id, files }: ToolNode): Tool<GrepInput> {
  return {
    description:
      'Search file contents. Returns up to 100 lines; follows links inside the workspace; skips binary files, files that look secret, .git and node_modules.',
    ...shape,
    readOnly: true,
    access: ({ path = '.' }, { workspace }) => accessToOne('read', path, id, workspace),
    gist: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
    async run({ pattern, path = '.', include }, context) {
      const { workspace } = context
      const base = resolvePath(path, workspace)
      const wanted = {
        pattern,
        limit: maxMatches,
        ...placeOf(base, context),
        include,
      }
      return grepResult(pattern, base, await files().search(wanted, context), workspace)
    },
  }
}

/** Where a search goes: the gate was asked about `base`, not about secrets below it or what links in it lead to. */
export function placeOf(
  base: string,
  { workspace, follow = [workspace] }: Pick<ToolContext, 'workspace' | 'follow'>,
): Pick<SearchRequest, 'base' | 'follow' | 'leaveOut'> {
  const isSecret = secretReason(displayPath(base, workspace)) !== null
  return { base, follow, ...(!isSecret && { leaveOut: (path: string) => secretReason(path) !== null }) }
}

function grepResult(pattern: string, base: string, result: SearchResult, workspace: string): ToolResult {
  const { matches, truncated, timedOut } = result
  return {
    content: jsonContent({
      pattern,
      basePath: base,
      matches,
      ...(truncated ? { truncated } : { count: matches.length }),
      ...(timedOut && { note: 'The search was stopped after 60 seconds; give a narrower path' }),
    }),
    display: {
      type: 'matches',
      rows: matches.map(({ path, line, content }) => ({ path: displayPath(path, workspace), line, text: content })),
      total: matches.length,
    },
  }
}
