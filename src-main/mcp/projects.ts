import { createHash } from 'node:crypto'
import type { McpEvent, McpProject, McpProjectVerdict } from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import type { LiveServer, LiveServers } from './live-servers'
import { describeServer, type ProjectFile, readProjectFile } from './project-file'
import { createProjectRows, type ProjectRow } from './project-rows'

interface ProjectsOptions {
  database: Database
  servers: LiveServers
  nodeIds(): string[]
  publish(event: McpEvent): void
  /** A server of a project that is no longer trusted: what was allowed to its tools ends with it. */
  forget(server: LiveServer): void
  /** Whether what is trusted starts by itself in this run. */
  mayStart: boolean
}

export type Projects = ReturnType<typeof createProjects>

/**
 * Servers that come with a folder, by its `.mcp.json`. Opening a folder starts nothing: the user trusts the very words of
 * the file, and is asked again when they change.
 */
export function createProjects(options: ProjectsOptions) {
  const { servers } = options
  const rows = createProjectRows(options.database)
  const looked = new Map<string, McpProject>()
  /** Contents that the user does not want to decide about in this run. */
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

  /** Brings what runs in line with what is trusted. Settles when each server has been tried. */
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
    /** Whether servers of that folder are there. */
    serves: (folder: string): boolean => ofFolder(folder).length > 0,
    /** Looks at a folder, and starts what is trusted there. `started` settles when each server has been tried. */
    async look(folder: string): Promise<{ project: McpProject; started: Promise<void> }> {
      const file = await read(folder)
      const started = apply(folder, file, options.mayStart)
      // Where `shown` fails as well, nobody gets to wait for it.
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

/** Two folders may name a server the same. */
const idIn = (folder: string, name: string): string =>
  `${name}@${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`
