import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { isRecord } from '../is-record'
import { type Draft, type HistoryMessage, ready } from './draft'
import { readText, shown } from './files'

export interface History {
  workspace: string
  title: string
  messages: HistoryMessage[]
}

interface HistoryFile {
  tool: ImportTool
  file: string
  home: string
  /** Names the session for good, so that it is taken once. */
  source: string
  /** What a file says; its path is the one by which it was named. */
  read(text: string, file: string): History | Promise<History>
}

const maxBytes = 20 * 1024 * 1024
const mostMessages = 2000
const longestMessage = 100_000

/** A past session as something that can be taken; none where it has no words. */
async function historyDraft({ tool, file, home, source, read }: HistoryFile): Promise<Draft[]> {
  const text = await readText(file, maxBytes)
  if (text === null) return []
  return sessionDraft({ tool, file, home, source, history: await read(text, file) })
}

interface HistoryFolder extends Pick<HistoryFile, 'tool' | 'home' | 'read'> {
  folder: string
  /** Relative to the folder; each names its session by its own name. */
  paths: readonly string[]
}

/** The latest sessions of a program that keeps each in a file. */
export async function historyDrafts({ folder, paths, ...how }: HistoryFolder): Promise<Draft[]> {
  const drafts = (await newest(folder, paths)).map((path) =>
    historyDraft({ ...how, file: join(folder, path), source: `${how.tool}:${parse(path).name}` }),
  )
  return (await Promise.all(drafts)).flat()
}

interface SessionFile extends Omit<HistoryFile, 'read'> {
  history: History
}

export async function sessionDraft({ tool, file, home, source, history }: SessionFile): Promise<Draft[]> {
  const messages = history.messages
    .filter(({ text }) => text.trim() !== '')
    .slice(-mostMessages)
    .map(({ role, text }) => ({ role, text: text.slice(0, longestMessage).toWellFormed() }))
  const first = messages.find(({ role }) => role === 'user')
  if (!first) return []
  const at = await stat(file).then(
    ({ mtimeMs }) => Math.round(mtimeMs),
    () => Date.now(),
  )
  const title = oneLine(history.title || first.text)
  const workspace = history.workspace || home
  const wish = {
    tool,
    kind: 'session' as const,
    name: title,
    from: shown(file, home),
    detail: `${messages.length} messages in ${workspace}`,
  }
  const becomes = 'a session with what was said; its tool calls are left out, and it can be continued'
  const id = createHash('sha256').update(source).digest('hex').slice(0, 16)
  const draft = ready(wish, becomes, { kind: 'session', source, title, workspace, at, read: async () => messages })
  return [{ ...draft, id }]
}

/** The latest of these files: older sessions than these are left where they are. */
export async function newest(root: string, paths: readonly string[], most = 100): Promise<string[]> {
  const dated = await Promise.all(
    paths.map(async (path) => ({
      path,
      at: await stat(join(root, path)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  )
  return dated
    .sort((one, other) => other.at - one.at)
    .slice(0, most)
    .map(({ path }) => path)
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 120).toWellFormed()

/** The objects of a file with one JSON value a line; what is broken is passed over. */
export const jsonLines = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    try {
      const value: unknown = JSON.parse(line)
      return isRecord(value) ? [value] : []
    } catch {
      // The last line of a program that was killed.
      return []
    }
  })
