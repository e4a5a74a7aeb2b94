import type { Dirent } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { errorCode } from '../error-code'
import { agentIdFrom } from '../session-keys'
import { temporaryName } from '../temporary'
import { containedPath, OwnFileError, ownPath } from './own-path'

interface OwnListing {
  /** Paths relative to the agent's folder; folders end with a slash. */
  files: string[]
  directories: string[]
}

type OwnSource = 'agent' | 'global'

export interface OwnFile {
  /** Normalised, relative to the agent's folder. */
  path: string
  content: string
  size: number
  modifiedAt: number
  source: OwnSource
  /** Relative to the data folder: `agents/main/SOUL.md`, `skills/summarize/SKILL.md`. */
  storedAs: string
}

/**
 * The agents' own files: `agents/{agentId}/` in the data folder. Reading under `skills/` tries the agent's own skills
 * first, then the shared ones; writing always goes to the agent's own folder.
 */
export interface OwnFiles {
  /** The folder of an agent; it need not exist yet. */
  folder(agentId: string): string
  sharedSkills(): string
  /** Lists one level. A missing folder counts as empty. */
  list(agentId: string, path: string): Promise<OwnListing>
  read(agentId: string, path: string): Promise<OwnFile>
  /** `null` if there is no such file; throws if the path is not allowed. */
  find(agentId: string, path: string): Promise<OwnFile | null>
  /** Creates folders as needed. Returns the size in bytes. */
  write(agentId: string, path: string, content: string): Promise<{ path: string; size: number }>
  remove(agentId: string, path: string): Promise<void>
}

const largestFile = 16 * 1024 * 1024
const skillsFolder = 'skills'
const halfWritten = /\.[0-9a-f]{12}\.tmp$/

const contentTypes = new Map([
  ['.md', 'text/markdown'],
  ['.json', 'application/json'],
  ['.yaml', 'text/yaml'],
  ['.yml', 'text/yaml'],
])

/** The content type of a file, by its extension. */
export const contentTypeOf = (path: string): string => contentTypes.get(extname(path)) ?? 'text/plain'

export function createOwnFiles(dataDir: string, changed: (agentId: string, path: string) => void = () => {}): OwnFiles {
  const folder = (agentId: string): string => join(dataDir, 'agents', agentIdFrom(agentId))

  /** The places where a path may be found, the agent's own folder first. */
  const places = (agentId: string, path: string): { source: OwnSource; file: string; storedAs: string }[] => {
    const own = {
      source: 'agent' as const,
      file: containedPath(folder(agentId), path),
      storedAs: `agents/${agentIdFrom(agentId)}/${path}`,
    }
    if (!isSkill(path)) return [own]
    const shared = path.slice(skillsFolder.length + 1)
    return [own, { source: 'global', file: containedPath(join(dataDir, skillsFolder), shared), storedAs: path }]
  }

  const fileName = (path: string): string => {
    const name = ownPath(path)
    if (name === '') throw new OwnFileError('InvalidPath', 'A path to a file is required')
    return name
  }

  const find = async (agentId: string, path: string): Promise<OwnFile | null> => {
    const name = fileName(path)
    for (const { source, file, storedAs } of places(agentId, name)) {
      const found = await statOrNull(file)
      if (!found) continue
      if (found.isDirectory()) throw new OwnFileError('InvalidPath', `This is a directory: ${name}`)
      if (!found.isFile()) throw new OwnFileError('InvalidPath', `This is not a regular file: ${name}`)
      if (found.size > largestFile)
        throw new OwnFileError(
          'ExecutionFailed',
          `The file is too large to be read as text (${found.size} bytes): ${name}`,
        )
      const bytes = await readFile(file)
      return {
        path: name,
        content: textOf(bytes, name),
        size: bytes.length,
        modifiedAt: found.mtimeMs,
        source,
        storedAs,
      }
    }
    return null
  }

  return {
    folder,
    sharedSkills: () => join(dataDir, skillsFolder),
    find,
    async list(agentId, path) {
      const name = ownPath(path)
      const levels = await Promise.all(places(agentId, name).map(({ file }) => entriesOf(file)))
      // List `skills/` in the root if there are shared skills, even if the agent has no such folder itself.
      if (name === '' && (await entriesOf(join(dataDir, skillsFolder))).length > 0)
        levels.push([{ name: skillsFolder, folder: true }])
      const prefix = name === '' ? '' : `${name}/`
      const merged = new Map(
        levels.reverse().flatMap((entries) => entries.map((entry) => [entry.name, entry.folder] as const)),
      )
      const names = [...merged.keys()].sort()
      return {
        files: names.filter((entry) => merged.get(entry) === false).map((entry) => prefix + entry),
        directories: names.filter((entry) => merged.get(entry) === true).map((entry) => `${prefix}${entry}/`),
      }
    },
    async read(agentId, path) {
      const found = await find(agentId, path)
      if (!found) throw new OwnFileError('FileNotFound', `File not found: ${path}`)
      return found
    },
    async write(agentId, path, content) {
      const name = fileName(path)
      const file = containedPath(folder(agentId), name)
      if ((await statOrNull(file))?.isDirectory()) throw new OwnFileError('InvalidPath', `This is a directory: ${name}`)
      const bytes = Buffer.from(content)
      if (bytes.length > largestFile)
        throw new OwnFileError('ExecutionFailed', `The content is too large (${bytes.length} bytes)`)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await replaceFile(file, bytes)
      changed(agentId, name)
      return { path: name, size: bytes.length }
    },
    async remove(agentId, path) {
      const name = fileName(path)
      const [own, shared] = places(agentId, name)
      const found = own && (await statOrNull(own.file))
      if (!own || !found) {
        const hint =
          shared && (await statOrNull(shared.file)) ? ' among the agent’s own; the one that all agents share stays' : ''
        throw new OwnFileError('FileNotFound', `File not found: ${name}${hint}`)
      }
      if (found.isDirectory()) throw new OwnFileError('InvalidPath', `This is a directory: ${name}`)
      await unlink(own.file)
      await removeEmptyFolders(dirname(own.file), containedPath(folder(agentId), ''))
      changed(agentId, name)
    },
  }
}

/** A reader sees the old content or the new one, never a part. */
async function replaceFile(file: string, bytes: Buffer): Promise<void> {
  const beside = join(dirname(file), temporaryName(basename(file)))
  try {
    await writeFile(beside, bytes, { mode: 0o600, flag: 'wx' })
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

const isSkill = (path: string): boolean => path === skillsFolder || path.startsWith(`${skillsFolder}/`)

function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws if the bytes are not valid UTF-8.
    throw new OwnFileError('ExecutionFailed', `This is not a text file: ${name}`)
  }
}

async function entriesOf(folder: string): Promise<{ name: string; folder: boolean }[]> {
  let entries: Dirent[]
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
  const kinds = await Promise.all(
    entries.map(async (entry) => ({
      name: entry.name,
      folder: entry.isSymbolicLink() ? await isFolder(join(folder, entry.name)) : entry.isDirectory(),
    })),
  )
  return kinds.filter(({ name }) => !halfWritten.test(name))
}

const isFolder = async (path: string): Promise<boolean> => (await statOrNull(path))?.isDirectory() ?? false

async function statOrNull(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Folders exist only for their files: an empty folder is removed. */
async function removeEmptyFolders(from: string, root: string): Promise<void> {
  for (let folder = from; folder !== root && folder.startsWith(root); folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (errorCode(error) === 'ENOTEMPTY') return
      throw error
    }
  }
}
