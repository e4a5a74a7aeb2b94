import type { agentCalls } from '../../src-preload/contract/agent-calls'
import type { Engine } from '../engine'
import { mainSessionKey } from '../session-keys'
import { definitionsOf } from '../tools/tool'
import { type HandlersFor, nothing } from './handlers'

/** Agents and their own files. */
export function agentHandlers(engine: Engine): HandlersFor<typeof agentCalls> {
  const { agents, files, prompt } = engine.agents
  const announce = (): void => engine.publish({ type: 'agents', agents: agents.list() })
  const mainOf = (id: string) => {
    const session = engine.post.open(mainSessionKey(id))
    if (!session) throw new Error('The session could not be opened.')
    return session
  }

  return {
    'agent.list': () => ({ type: 'agents', agents: agents.list() }),
    'agent.create': async ({ id, name }) => {
      await agents.create(id, name)
      return nothing(announce())
    },
    'agent.remove': ({ id }) => {
      agents.remove(id)
      return nothing(announce())
    },
    'agent.files': ({ id }) => agents.files(id),
    'agent.read': async ({ id, path }) => {
      agents.get(id)
      const found = await files.find(id, path)
      return { path, content: found?.content ?? '', exists: found !== null }
    },
    'agent.write': async ({ id, path, content }) => {
      agents.get(id)
      return nothing(await files.write(id, path, content))
    },
    'agent.deleteFile': async ({ id, path }) => nothing(await files.remove(id, path)),
    'agent.prompt': ({ id }) => {
      agents.get(id)
      const session = engine.post.find(mainSessionKey(id))
      const { defaultToolset, defaultWorkspace } = engine.settings.current()
      const toolset = engine.toolset(session?.toolset ?? defaultToolset)
      const facts = session ?? {
        id: '',
        key: mainSessionKey(id),
        agentId: id,
        workspace: defaultWorkspace,
        model: engine.providers.defaultModel(),
        toolset: defaultToolset,
      }
      return prompt.text(facts, definitionsOf(toolset))
    },
    'agent.openSession': ({ id }) => {
      agents.get(id)
      return mainOf(id).id
    },
  }
}
