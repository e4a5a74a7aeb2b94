import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { inputShape } from './input'
import { jsonContent, takeWhileFits } from './json-result'
import { accessToOne, resolvePath } from './paths'
import type { Tool, ToolContext, ToolResult } from './tool'

const frameBytes = 1024

const shape = inputShape(z.object({ path: z.string().optional().describe('Default: the workspace') }))

export type ListInput = ReturnType<typeof shape.parse>

export interface ListedEntry {
  name: string
  type: 'file' | 'directory' | 'link' | 'other'
  size?: number
}

/** What a folder holds. */
async function listFolder(path: string): Promise<ListedEntry[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return Promise.all(entries.map((entry) => describeEntry(path, entry)))
}

async function describeEntry(folder: string, entry: Dirent): Promise<ListedEntry> {
  if (entry.isDirectory()) return { name: entry.name, type: 'directory' }
  if (entry.isSymbolicLink()) return { name: entry.name, type: 'link' }
  if (!entry.isFile()) return { name: entry.name, type: 'other' }
  // Gone since it was listed: it was there when asked.
  const size = await lstat(join(folder, entry.name)).then(
    (found) => found.size,
    () => undefined,
  )
  return { name: entry.name, type: 'file', ...(size !== undefined && { size }) }
}

/** One folder at a time. */
export function createListTool(node: string): Tool<ListInput> {
  return {
    description: 'List a folder.',
    schema: shape.schema,
    parse: shape.parse,
    readOnly: true,
    access: ({ path = '.' }, { workspace }) => accessToOne('read', path, node, workspace),
    gist: ({ path = '.' }) => path,
    async run(input, context) {
      const path = resolvePath(input.path ?? '.', context.workspace)
      return listResult(path, await listFolder(path), context)
    },
  }
}

/** Folders first, in the order of their names. */
export function listResult(path: string, listed: ListedEntry[], { resultBytes }: ToolContext): ToolResult {
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
