import type { MentionedFile } from '../../src-preload/contract/writing'
import { ripgrep } from '../nodes/files/ripgrep'

const most = 30

/** More are not offered: nobody finds a file by its name in a folder such as a whole disk. */
const mostFiles = 100_000
const limitMs = 5000
/** Typing goes on against one look at the folder. */
const freshMs = 15_000

interface WorkspaceFiles {
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

/**
 * Entries whose path holds the letters of the query in order. A name that begins with the query comes first, then one
 * that contains it, then a path that contains it, then letters that are spread; the shorter path before the longer one.
 */
function bestMatches(entries: readonly MentionedFile[], query: string): MentionedFile[] {
  const wanted = query.toLowerCase()
  if (wanted === '') return entries.filter(({ path }) => depthOf(path) === 0).slice(0, most)
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry.path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < 5)
    .sort((one, other) => one.rank - other.rank || one.entry.path.length - other.entry.path.length)
    .slice(0, most)
    .map(({ entry }) => entry)
}

function rankOf(path: string, wanted: string): number {
  const bare = path.replace(/\/$/, '')
  const name = bare.slice(bare.lastIndexOf('/') + 1)
  if (path.startsWith(wanted)) return depthOf(path.slice(wanted.length).replace(/^\//, '')) === 0 ? 0 : 1
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  if (path.includes(wanted)) return 3
  return hasInOrder(path, wanted) ? 4 : 5
}

const depthOf = (path: string): number => path.replace(/\/$/, '').split('/').length - 1

function hasInOrder(path: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = path.indexOf(letter, at)
    if (at < 0) return false
    at += letter.length
  }
  return true
}
