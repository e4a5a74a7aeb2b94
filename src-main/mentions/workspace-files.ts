import type { MentionedFile } from '../../src-preload/contract/writing'
import { ripgrep } from '../nodes/files/ripgrep'
import { bestMatches } from './best-matches'

/** More are not offered: nobody finds a file by its name in a folder such as a whole disk. */
const mostFiles = 100_000
const limitMs = 5000
/** Typing goes on against one look at the folder. */
const freshMs = 15_000

export interface WorkspaceFiles {
  /** Files and folders whose path holds the letters of the query in this order, best first. */
  find(workspace: string, query: string): Promise<MentionedFile[]>
}

/** What the folders of sessions hold, for completion in the message box. Files that git ignores are left out. */
export function createWorkspaceFiles(clock: () => number = Date.now): WorkspaceFiles {
  let held: { workspace: string; readAt: number; entries: Promise<MentionedFile[]> } | null = null
  const entriesOf = (workspace: string): Promise<MentionedFile[]> => {
    if (held?.workspace === workspace && clock() - held.readAt < freshMs) return held.entries
    const entries = look(workspace)
    held = { workspace, readAt: clock(), entries }
    // A failure is not kept: the next key looks again.
    entries.catch(() => {
      if (held?.entries === entries) held = null
    })
    return entries
  }
  return { find: async (workspace, query) => bestMatches(await entriesOf(workspace), query) }
}

async function look(workspace: string): Promise<MentionedFile[]> {
  const ended = new AbortController()
  const limit = setTimeout(() => ended.abort(), limitMs)
  const paths: string[] = []
  const args = [
    '--files',
    '--null',
    '--no-config',
    '--no-messages',
    '--no-require-git',
    '--hidden',
    '--glob',
    '!.git',
    '.',
  ]
  try {
    for await (const path of ripgrep(args, { cwd: workspace, separator: '\0', signal: ended.signal })) {
      paths.push(path.replace(/^\.\//, ''))
      if (paths.length >= mostFiles) break
    }
  } catch (error) {
    // What was found until then is of more use than nothing.
    if (!ended.signal.aborted) throw error
  } finally {
    clearTimeout(limit)
  }
  const folders = new Set(paths.flatMap(foldersOf))
  return [
    ...[...folders].map((path) => ({ path, folder: true })),
    ...paths.map((path) => ({ path, folder: false })),
  ].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** `a/b/c.ts` lies in `a/` and `a/b/`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)
}
