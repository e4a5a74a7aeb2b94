import type { mcpCalls } from '../../src-preload/contract/mcp-calls'
import type { Engine } from '../engine'
import { openLink } from '../window'
import { type HandlersFor, nothing } from './handlers'

/** How long a server may take to tell what it has to read, or to read it. */
const readMs = 30_000

/** MCP servers. */
export function mcpHandlers({ mcp, store, publish }: Engine): HandlersFor<typeof mcpCalls> {
  const servers = () => ({ type: 'mcp' as const, servers: mcp.view() })
  const projects = async () => ({ type: 'mcp-projects' as const, projects: await mcp.projects.list() })
  /** They are announced a moment later anyway; whoever made the change sees it at once. */
  const changed = async (change: unknown): Promise<null> => {
    await change
    return nothing(publish(servers()))
  }
  return {
    'mcp.list': servers,
    'mcp.save': ({ config, ...wish }) => changed(mcp.save({ ...wish, config })),
    'mcp.remove': ({ id }) => changed(mcp.remove(id)),
    'mcp.enable': ({ id, enabled }) => changed(mcp.enable(id, enabled)),
    'mcp.restart': ({ id }) => nothing(mcp.restart(id)),
    'mcp.test': ({ config, ...wish }) => mcp.test({ ...wish, config }),
    'mcp.signIn': ({ id }) => changed(mcp.signIn(id, openLink)),
    'mcp.cancelSignIn': ({ id }) => nothing(mcp.cancelSignIn(id)),
    'mcp.signOut': ({ id }) => changed(mcp.signOut(id)),
    'mcp.log': ({ id }) => ({ type: 'mcp-log-read', server: id, lines: mcp.log(id) }),
    'mcp.resources': ({ sessionId }) =>
      mcp.resources(store.sessions.get(sessionId).workspace, AbortSignal.timeout(readMs)),
    'mcp.readResource': async ({ sessionId, server, uri }) => {
      const attachments = await mcp.readResource(server, uri, AbortSignal.timeout(readMs))
      store.taint.add(sessionId)
      return attachments
    },
    'mcp.import': ({ text }) => mcp.import(text),
    'mcp.setPolicy': ({ id, tool, policy }) => changed(mcp.setPolicy(id, tool, policy)),
    'mcp.projects': projects,
    'mcp.lookAtProject': async ({ sessionId }) => {
      await mcp.projects.look(store.sessions.get(sessionId).workspace)
      return nothing(publish(await projects()))
    },
    'mcp.decideProject': async ({ folder, hash, verdict }) => {
      await mcp.projects.decide(folder, hash, verdict)
      return nothing(publish(await projects()))
    },
    'mcp.acceptChange': ({ id, tool }) => changed(mcp.acceptChange(id, tool)),
  }
}
