import { dirname } from 'node:path'
import { z } from 'zod'
import { inputShape } from '../input'
import { jsonContent, takeWhileFits } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { accessTo, displayPath, resolvePath } from './paths'

const frameBytes = 2048
const shownRows = 200

const shape = inputShape(() =>
  z.object({
    pattern: z.string().describe('Such as src/**/*.ts'),
    path: z.string().optional().describe('Default: the workspace'),
  }),
)

type GlobInput = ReturnType<typeof shape.parse>

/** A pattern may lead elsewhere, by an absolute path or by `..`; then the search starts there. */
export function splitPattern(
  pattern: string,
  path: string | undefined,
  workspace: string,
): { base: string; rest: string } {
  if (pattern === '') throw new ToolFailure('InvalidArgs', '`pattern` is empty')
  let base = resolvePath(path ?? '.', workspace)
  let rest = pattern.replace(/^(\.\/)+/, '')
  if (rest.startsWith('/')) {
    const literal = /^\/(?:[^*?[{\\/]+\/)*/.exec(rest)?.[0] ?? '/'
    return { base: resolvePath(literal, '/'), rest: rest.slice(literal.length) || '*' }
  }
  for (; rest.startsWith('../'); rest = rest.slice(3)) base = dirname(base)
  return { base, rest: rest || '*' }
}

/** Finds files by name. */
export function createGlobTool({ id, files }: ToolNode): Tool<GlobInput> {
  return {
    description: 'Find files by a glob pattern, newest first. Skips .git and node_modules unless named.',
    ...shape,
    readOnly: true,
    access: ({ pattern, path }, { workspace }) =>
      accessTo([{ path: splitPattern(pattern, path, workspace).base, access: 'read' }], id, workspace),
    gist: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
    async run({ pattern, path }, context) {
      const { base, rest } = splitPattern(pattern, path, context.workspace)
      return globResult(pattern, base, await files().find(rest, base, context), context)
    },
  }
}

function globResult(
  pattern: string,
  base: string,
  found: string[],
  { workspace, resultBytes }: ToolContext,
): ToolResult {
  const matches = takeWhileFits(found, resultBytes - frameBytes)
  const truncated = matches.length < found.length
  return {
    content: jsonContent({ pattern, basePath: base, matches, count: found.length, ...(truncated && { truncated }) }),
    display: {
      type: 'matches',
      rows: found.slice(0, shownRows).map((each) => ({ path: displayPath(each, workspace) })),
      total: found.length,
    },
  }
}
