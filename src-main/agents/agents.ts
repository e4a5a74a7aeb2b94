import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentFile, AgentInfo } from '../../src-preload/contract/agents'
import { agentIdFrom, defaultAgent } from '../session-keys'
import type { OwnFiles } from './own-files'
import { knownFiles } from './prompt-files'

export interface Agents {
  list(): AgentInfo[]
  ids(): string[]
  get(id: string): AgentInfo
  /** Throws an error with a message for the user. */
  create(id: string, name?: string): Promise<AgentInfo>
  /** Removes the agent; its files are moved aside, not deleted. */
  remove(id: string): void
  /** Known files first, even if missing; then notes (newest first), skills and the rest. */
  files(id: string): Promise<AgentFile[]>
}

interface AgentsDeps {
  dataDir: string
  files: OwnFiles
  sessionsOf(agentId: string): number
  now?(): number
}

const mostFiles = 500

/** Manages the agents: `main`, and one for each folder. */
export function createAgents({ dataDir, files, sessionsOf, now = Date.now }: AgentsDeps): Agents {
  const root = join(dataDir, 'agents')

  const ids = (): string[] => {
    const names = isFolder(root) ? readdirSync(root, { withFileTypes: true }) : []
    const folders = names.filter((entry) => entry.isDirectory() && agentIdFrom(entry.name) === entry.name)
    return [...new Set([defaultAgent, ...folders.map(({ name }) => name).sort()])]
  }

  const get = (id: string): AgentInfo => {
    if (!ids().includes(id)) throw new Error(`There is no agent named ${id}.`)
    const folder = files.folder(id)
    return {
      id,
      name: nameIn(join(folder, 'IDENTITY.md')) ?? id,
      folder,
      sessions: sessionsOf(id),
      skills: isFolder(join(folder, 'skills')) ? readdirSync(join(folder, 'skills')).length : 0,
      updatedAt: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }
  }

  const below = async (id: string, path: string): Promise<string[]> => {
    const { files: found, directories } = await files.list(id, path)
    const deeper = await Promise.all(directories.map((folder) => below(id, folder)))
    return [...found, ...deeper.flat()]
  }

  return {
    list: () => ids().map(get),
    ids,
    get,
    async create(id, name) {
      if (ids().includes(id) && existsSync(files.folder(id))) throw new Error(`There is an agent named ${id} already.`)
      mkdirSync(files.folder(id), { recursive: true, mode: 0o700 })
      await files.write(id, 'IDENTITY.md', `# ${name?.trim() || id}\n`)
      return get(id)
    },
    remove(id) {
      if (id === defaultAgent) throw new Error('The main agent cannot be removed.')
      get(id)
      const aside = join(dataDir, 'agents-removed')
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      renameSync(files.folder(id), join(aside, `${id}-${now()}`))
    },
    async files(id) {
      get(id)
      const known = knownFiles.map(({ path, purpose }) => ({ path, purpose, kind: 'prompt' as const }))
      const there = (await below(id, '/')).slice(0, mostFiles)
      const others = there
        .filter((path) => !known.some((file) => file.path === path))
        .map((path) => ({ path, purpose: '', kind: kindOf(path) }))
        .sort((one, other) => order(one.kind) - order(other.kind) || compare(one, other))
      return [...known, ...others].flatMap((file) => {
        const found = statSync(join(files.folder(id), file.path), { throwIfNoEntry: false })
        // Shared skills are not listed among the files of an agent.
        if (!found && file.kind !== 'prompt') return []
        return [{ ...file, exists: found !== undefined, size: found?.size ?? 0, modifiedAt: found?.mtimeMs ?? null }]
      })
    },
  }
}

const kindOf = (path: string): AgentFile['kind'] =>
  /^memory\/\d{4}-\d{2}-\d{2}\.md$/.test(path) ? 'note' : path.startsWith('skills/') ? 'skill' : 'other'

const order = (kind: AgentFile['kind']): number => ['prompt', 'note', 'skill', 'other'].indexOf(kind)

const compare = (one: { path: string; kind: string }, other: { path: string }): number =>
  (one.kind === 'note' ? -1 : 1) * one.path.localeCompare(other.path, 'en')

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function nameIn(identity: string): string | null {
  if (!statSync(identity, { throwIfNoEntry: false })?.isFile()) return null
  const heading = /^#\s+(.+)$/m.exec(readFileSync(identity, 'utf8').slice(0, 4000))
  return heading?.[1]?.trim().slice(0, 100) || null
}
