import { createHash } from 'node:crypto'
import type { McpEvent, McpProject, McpProjectVerdict } from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import type { LiveServer, LiveServers } from './live-servers'
import { describeServer, type ProjectFile, readProjectFile } from './project-file'

interface ProjectsOptions {
  database: Database
  servers: LiveServers
  nodeIds(): string[]
  publish(event: McpEvent): void
  /** Called for a server of a project that is no longer trusted: permissions for its tools are withdrawn. */
  forget(server: LiveServer): void
  /** Whether trusted servers start automatically in this run. */
  mayStart: boolean
}

export type Projects = ReturnType<typeof createProjects>

/**
 * Servers defined by a folder's `.mcp.json`. Opening a folder starts nothing until the user trusts the exact content of
 * the file; they are asked again when it changes.
 */
export function createProjects(options: ProjectsOptions) {
  const { servers } = options
  const rows = createProjectRows(options.database)
  const looked = new Map<string, McpProject>()
  /** File contents that the user has postponed deciding about in this run. */
  const later = new Set<string>()

  const read = (folder: string): Promise<ProjectFile | null> => readProjectFile(folder, options.nodeIds())

  const describe = (folder: string, file: ProjectFile | null): McpProject => {
    const row = rows.find(folder)
    const hash = file?.hash ?? ''
    return {
      folder,
      state: stateOf(file, row, later.has(`${hash} ${folder}`)),
      hash,
      changed: row?.verdict === 'trust' && row.hash !== hash,
      servers: [...(file?.servers ?? [])].map(([name, config]) => describeServer(name, config)),
      warnings: file?.warnings ?? [],
    }
  }

  const ofFolder = (folder: string): LiveServer[] =>
    [...servers.all.values()].filter(({ project }) => project === folder)

  /** Starts and stops servers according to what is trusted. Settles when each has connected or failed. */
  const apply = async (folder: string, file: ProjectFile | null, start: boolean): Promise<void> => {
    const project = describe(folder, file)
    const known = looked.get(folder)
    looked.set(folder, project)
    if (JSON.stringify(known) !== JSON.stringify(project) && (known || project.state !== 'none')) tell()
    if (project.state === 'trusted' && known?.state === 'trusted' && known.hash === project.hash) {
      if (ofFolder(folder).length > 0) return
    } else for (const server of ofFolder(folder)) servers.remove(server)
    if (project.state !== 'trusted' || !file || !start) return
    const named = [...file.servers].map(([name, config]) =>
      servers.add({ id: idIn(folder, name), name, project: folder, config }),
    )
    await Promise.all(named.filter(({ config }) => config.enabled).map(servers.start))
  }

  const list = async (): Promise<McpProject[]> => {
    for (const { folder } of rows.all()) {
      if (!looked.has(folder)) looked.set(folder, describe(folder, await read(folder)))
    }
    return current()
  }
  const current = (): McpProject[] =>
    [...looked.values()].filter(({ folder, state }) => state !== 'none' || rows.find(folder) !== null)
  const tell = (): void => options.publish({ type: 'mcp-projects', projects: current() })

  const shown = (folder: string): McpProject => looked.get(folder) ?? describe(folder, null)

  return {
    list,
    /** Whether the folder has servers. */
    serves: (folder: string): boolean => ofFolder(folder).length > 0,
    /**
     * Reads a folder's file, and starts what is trusted. `started` settles when each server has connected or failed.
     */
    async look(folder: string): Promise<{ project: McpProject; started: Promise<void> }> {
      const file = await read(folder)
      const started = apply(folder, file, options.mayStart)
      // If `shown` also fails, nobody awaits this promise.
      started.catch(() => {})
      return { project: shown(folder), started }
    },
    async decide(folder: string, hash: string, verdict: McpProjectVerdict): Promise<McpProject> {
      const file = await read(folder)
      const same = file?.hash === hash
      if (verdict === 'trust' && same) rows.save({ folder, verdict, hash })
      if (verdict === 'never') rows.save({ folder, verdict, hash })
      if (verdict === 'later') later.add(`${hash} ${folder}`)
      if (verdict === 'ask') {
        rows.forget(folder)
        later.delete(`${hash} ${folder}`)
      }
      if (verdict === 'ask' || verdict === 'never') for (const server of ofFolder(folder)) options.forget(server)
      void apply(folder, file, true)
      if (verdict === 'trust' && !same) throw new Error('The file has changed since it was shown. Look at it again.')
      return shown(folder)
    },
  }
}

function stateOf(file: ProjectFile | null, row: ProjectRow | null, isLater: boolean): McpProject['state'] {
  if (!file || file.servers.size === 0) return 'none'
  if (row?.verdict === 'never') return 'never'
  if (row?.verdict === 'trust' && row.hash === file.hash) return 'trusted'
  return isLater ? 'later' : 'asks'
}

/** Two folders may use the same server name. */
const idIn = (folder: string, name: string): string =>
  `${name}@${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`

/** The user's decision about a folder's file. */
interface ProjectRow {
  folder: string
  verdict: 'trust' | 'never'
  /** The hash of the content that the decision is about. */
  hash: string
}

const createProjectRows = (database: Database) => ({
  all: (): ProjectRow[] =>
    database.prepare<ProjectRow>('SELECT folder, verdict, hash FROM mcp_projects ORDER BY folder').all(),
  find: (folder: string): ProjectRow | null =>
    database.prepare<ProjectRow>('SELECT folder, verdict, hash FROM mcp_projects WHERE folder = ?').get(folder) ?? null,
  save: ({ folder, verdict, hash }: ProjectRow): void => {
    database.durably(() =>
      database.prepare('INSERT OR REPLACE INTO mcp_projects VALUES (?, ?, ?)').run(folder, verdict, hash),
    )
  },
  forget: (folder: string): void => {
    database.durably(() => database.prepare('DELETE FROM mcp_projects WHERE folder = ?').run(folder))
  },
})
