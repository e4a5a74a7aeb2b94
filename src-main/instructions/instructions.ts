import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstructionsEvent, InstructionsView } from '../../src-preload/contract/instructions'
import type { Database } from '../database'
import { agentsFile, type Documents, isInside, type ReadOptions, readFolder, readOwn } from './documents'
import { createInstructionRows, type FolderRow, hashOf } from './rows'
import { belowSection, promptSection, writeGroup } from './section'

interface InstructionsOptions {
  database: Database
  dataDir: string
  home: string
  isSecret(path: string): boolean
  /** The folder that a session works in. */
  workspaceOf(sessionId: string): string
  publish(event: InstructionsEvent): void
}

export type Instructions = ReturnType<typeof createInstructions>

const deepest = 30

/**
 * Instructions where people keep them: the user's own, the AGENTS.md of the workspace (or its CLAUDE.md), and those of
 * folders below, which are told with the first file that a call touches there. So the prompt stays the same over a session.
 */
export function createInstructions(options: InstructionsOptions) {
  const rows = createInstructionRows(options.database)
  const { home, isSecret } = options
  const readOptions = (folder: string): ReadOptions => ({
    home,
    isSecret,
    allowed: new Set(rows.find(folder)?.outside),
  })
  const nothing: Documents = { documents: [], leftOut: [] }

  /** The data folder's comes first; it can be changed by nobody but the user. */
  const ownFile = (): string | undefined =>
    [join(options.dataDir, agentsFile), join(home, '.agents', agentsFile)].find((path) => existsSync(path))

  const read = async (folder: string) => {
    const own = ownFile()
    const row = rows.find(folder)
    const [user, workspace] = await Promise.all([
      own === undefined ? nothing : readOwn(own, { home, isSecret }),
      readFolder(folder, folder, readOptions(folder)),
    ])
    const brings = workspace.documents.length > 0
    const state: InstructionsView['state'] = brings ? stateOf(row) : 'none'
    return { user, workspace, state }
  }

  const written = async (folder: string) => {
    const { user, workspace, state } = await read(folder)
    const own = writeGroup({ documents: user.documents, source: 'user' })
    const used = state === 'off' ? [] : workspace.documents
    const ofFolder = writeGroup({ documents: used, source: 'folder' })
    return { own, ofFolder, state, leftOut: [...user.leftOut, ...workspace.leftOut] }
  }

  const view = async (sessionId: string): Promise<InstructionsView> => {
    const folder = options.workspaceOf(sessionId)
    const { own, ofFolder, state, leftOut } = await written(folder)
    const below = [...rows.told(sessionId).keys()].map((path) => ({
      path,
      source: 'below' as const,
      chars: 0,
      cut: false,
    }))
    return { sessionId, folder, state, files: [...own.files, ...ofFolder.files, ...below], leftOut }
  }
  const tell = async (sessionId: string): Promise<void> =>
    options.publish({ type: 'instructions', instructions: await view(sessionId) })

  return {
    /** What a session is told by which files; reads them anew. */
    view,
    /** The section of the prompt. */
    async forPrompt(folder: string): Promise<string> {
      const { own, ofFolder, state } = await written(folder)
      return promptSection(own, ofFolder, state === 'used')
    },
    /** Instructions of folders between the workspace and these files that the session was not told yet; `null` for none. */
    async forFiles(sessionId: string, workspace: string, files: readonly string[]): Promise<string | null> {
      const folders = foldersOf(workspace, files)
      const row = rows.find(workspace)
      if (folders.length === 0 || row?.verdict === 'off') return null
      const found = await Promise.all(folders.map((folder) => readFolder(folder, workspace, readOptions(workspace))))
      const documents = found.flatMap((each) => each.documents)
      if (documents.length === 0) return null
      const told = rows.told(sessionId)
      const fresh = documents.filter(({ shown, text }) => told.get(shown) !== hashOf(text))
      if (fresh.length === 0) return null
      for (const { shown, text } of fresh) rows.tell(sessionId, shown, hashOf(text))
      await tell(sessionId)
      return belowSection(writeGroup({ documents: fresh, source: 'below' }), row?.verdict === 'used')
    },
    /** What the model can no longer see is told again. */
    forgetTold: rows.forgetTold,
    async decide(sessionId: string, folder: string, use: boolean): Promise<void> {
      rows.save(folder, { verdict: use ? 'used' : 'off', outside: rows.find(folder)?.outside ?? [] })
      await tell(sessionId)
    },
    /** Lets the files of a folder import one from outside it: one that they name now. */
    async allowImport(sessionId: string, folder: string, path: string): Promise<void> {
      const { leftOut } = await written(folder)
      if (!leftOut.some(({ why, target }) => why === 'outside' && target === path))
        throw new Error('The instructions of this folder do not import that file.')
      const row = rows.find(folder)
      rows.save(folder, { verdict: row?.verdict ?? 'seen', outside: [...new Set([...(row?.outside ?? []), path])] })
      await tell(sessionId)
    },
    /** The first time that a folder brings instructions: their names. */
    async takeNews(folder: string): Promise<string[]> {
      const { ofFolder, state } = await written(folder)
      if (state !== 'new' || rows.find(folder)) return []
      rows.save(folder, { verdict: 'seen', outside: [] })
      return ofFolder.files.map(({ path }) => path)
    },
  }
}

const stateOf = (row: FolderRow | null): 'new' | 'used' | 'off' =>
  row === null || row.verdict === 'seen' ? 'new' : row.verdict

/** Every folder between the workspace, which the prompt already speaks of, and the files; outer ones first. */
function foldersOf(workspace: string, files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    let folder = dirname(file)
    for (let depth = 0; depth < deepest && folder !== workspace && isInside(folder, workspace); depth++) {
      folders.add(folder)
      folder = dirname(folder)
    }
  }
  return [...folders].sort((one, other) => one.length - other.length)
}
