import type { McpServerConfig } from '../../src-preload/contract/mcp'
import type { mcpCalls } from '../../src-preload/contract/mcp-calls'
import type { Engine } from '../engine'
import { openLink } from '../window'
import { type HandlersFor, nothing } from './handlers'

/** MCP servers. */
export function mcpHandlers({ mcp, store }: Engine): HandlersFor<typeof mcpCalls> {
  return {
    'mcp.list': () => mcp.view(),
    'mcp.save': ({ config, ...wish }) => mcp.save({ ...wish, config: config as McpServerConfig }),
    'mcp.remove': ({ id }) => mcp.remove(id),
    'mcp.enable': ({ id, enabled }) => mcp.enable(id, enabled),
    'mcp.restart': ({ id }) => nothing(mcp.restart(id)),
    'mcp.test': ({ config, ...wish }) => mcp.test({ ...wish, config: config as McpServerConfig }),
    'mcp.signIn': ({ id }) => mcp.signIn(id, openLink),
    'mcp.cancelSignIn': ({ id }) => nothing(mcp.cancelSignIn(id)),
    'mcp.signOut': ({ id }) => mcp.signOut(id),
    'mcp.log': ({ id }) => mcp.log(id),
    'mcp.import': ({ text }) => mcp.import(text),
    'mcp.setPolicy': ({ id, tool, policy }) => mcp.setPolicy(id, tool, policy),
    'mcp.projects': () => mcp.projects.list(),
    'mcp.lookAtProject': async ({ sessionId }) =>
      (await mcp.projects.look(store.sessions.get(sessionId).workspace)).project,
    'mcp.decideProject': ({ folder, hash, verdict }) => mcp.projects.decide(folder, hash, verdict),
    'mcp.acceptChange': ({ id, tool }) => mcp.acceptChange(id, tool),
  }
}
