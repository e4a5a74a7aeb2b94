import { z } from 'zod'
import type { ListedEntry } from '../../nodes/files/node-files'
import { inputShape } from '../input'
import { jsonContent, takeWhileFits } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import type { Tool, ToolContext, ToolResult } from '../tool'
import { accessToOne, resolvePath } from './paths'

const frameBytes = 1024

const shape = inputShape(() => z.object({ path: z.string().optional().describe('Default: the workspace') }))

type ListInput = ReturnType<typeof shape.parse>

/** One folder at a time. */
export function createListTool({ id, files }: ToolNode): Tool<ListInput> {
  return {
    description: 'List a folder.',
    ...shape,
    readOnly: true,
    access: ({ path = '.' }, { workspace }) => accessToOne('read', path, id, workspace),
    gist: ({ path = '.' }) => path,
    async run(input, context) {
      const path = resolvePath(input.path ?? '.', context.workspace)
      return listResult(path, await files().list(path, { signal: context.signal, checked: context.checked }), context)
    },
  }
}

/** Folders first, in the order of their names. */
function listResult(path: string, listed: ListedEntry[], { resultBytes }: ToolContext): ToolResult {
  const rank = (entry: ListedEntry): number => (entry.type === 'directory' ? 0 : 1)
  const entries = listed.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  const fitting = takeWhileFits(entries, resultBytes - frameBytes)
  return {
    content: jsonContent({
      path,
      entries: fitting,
      count: entries.length,
      ...(fitting.length < entries.length && { truncated: true }),
    }),
    display: {
      type: 'matches',
      rows: fitting.map(({ name, type }) => ({ path: type === 'directory' ? `${name}/` : name })),
      total: entries.length,
      listing: true,
    },
  }
}
