import type * as acp from '@agentclientprotocol/sdk'
import { version } from '../../package.json'
import type { ApprovalMode, Session } from '../../src-preload/contract/sessions'
import type { Engine } from '../engine'
import { promptParts } from './prompt-parts'
import { sessionClient } from './session-client'
import { followTurn } from './turn'
import { replay } from './updates'

interface ServerOptions {
  /** What runs without asking, until the client chooses another mode. */
  mode: ApprovalMode
  sandbox: boolean
}

/** Modes of ours as clients show them. */
const modes: readonly { id: ApprovalMode; name: string; description: string }[] = [
  { id: 'plan', name: 'Plan first', description: 'Only reads until you approve a plan' },
  { id: 'read-only', name: 'Read only', description: 'Only reads, and nothing is asked' },
  { id: 'ask', name: 'Ask', description: 'Asks before anything runs' },
  { id: 'safe', name: 'Safe', description: 'What only reads runs without asking' },
  { id: 'workspace', name: 'Workspace', description: 'Changes in the workspace run without asking' },
  { id: 'all', name: 'Everything', description: 'Nothing asks' },
]

/** Our engine as an agent for editors: sessions, modes, models, plan, tool calls with diffs, permissions, load. */
export async function createAcpServer(engine: Engine, options: ServerOptions): Promise<acp.AgentApp> {
  const sdk = await import('@agentclientprotocol/sdk')
  const { runner, store, providers } = engine
  const { agent: methods } = sdk.methods

  /** What the client says of itself. */
  let offers: acp.ClientCapabilities = {}
  let clientName = 'The editor'
  /** Its terminals and files are used for the session from now on. */
  const serve = (sessionId: string, client: acp.AgentContext): void => {
    engine.clients.set(sessionId, sessionClient(sdk, client, sessionId, offers, clientName))
    // The client knows the session once it has the answer.
    setImmediate(() => {
      tellCommands(engine, sdk, client, sessionId).catch((error: unknown) =>
        engine.log.warn('A client could not be told of commands', { error }),
      )
    })
  }
  /** Cancels a prompt whose turn has not begun yet. */
  const prompts = new Map<string, AbortController>()

  const own = (id: string): Session => {
    const session = store.sessions.find(id)
    if (!session) throw sdk.RequestError.resourceNotFound(id)
    return session
  }

  const configOptions = (session: Session): acp.SessionConfigOption[] => modelOption(providers.list(), session)

  const stateOf = (session: Session) => ({ modes: modeState(session), configOptions: configOptions(session) })

  return sdk
    .agent({ name: 'deckhand' })
    .onRequest(methods.initialize, ({ params: { clientCapabilities, clientInfo } }) => {
      offers = clientCapabilities ?? {}
      clientName = (clientInfo?.title || clientInfo?.name || clientName).slice(0, 60)
      return {
        protocolVersion: sdk.PROTOCOL_VERSION,
        agentInfo: { name: 'deckhand', title: 'Deckhand', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      }
    })
    .onRequest(methods.authenticate, () => ({}))
    .onRequest(methods.session.new, ({ params: { cwd }, client }) => {
      const session = engine.createSession({ workspace: cwd, mode: options.mode, sandbox: options.sandbox })
      serve(session.id, client)
      return { sessionId: session.id, ...stateOf(session) }
    })
    .onRequest(methods.session.load, async ({ params: { sessionId }, client }) => {
      const session = own(sessionId)
      serve(sessionId, client)
      const { messages, calls } = store.messages.page(
        sessionId,
        undefined,
        Math.max(1, store.messages.count(sessionId)),
      )
      for (const update of replay(messages, calls, session.workspace))
        await client.notify(sdk.methods.client.session.update, { sessionId, update })
      return stateOf(session)
    })
    .onRequest(methods.session.resume, ({ params: { sessionId }, client }) => {
      const session = own(sessionId)
      serve(sessionId, client)
      return stateOf(session)
    })
    .onRequest(methods.session.close, ({ params: { sessionId } }) => {
      runner.stop(own(sessionId).id)
      engine.clients.remove(sessionId)
      return {}
    })
    .onRequest(methods.session.list, ({ params: { cwd } }) => ({
      sessions: store.sessions
        .list()
        .filter((session) => session.parentId === null && (!cwd || session.workspace === cwd))
        .slice(0, 200)
        .map(listedSession),
    }))
    .onRequest(methods.session.setMode, ({ params: { sessionId, modeId } }) => {
      const mode = modes.find(({ id }) => id === modeId)?.id
      if (!mode) throw sdk.RequestError.invalidParams(undefined, `There is no mode ${modeId}.`)
      runner.updateSession(own(sessionId).id, { mode })
      return {}
    })
    .onRequest(methods.session.setConfigOption, ({ params }) => {
      const session = own(params.sessionId)
      const known = configOptions(session)[0]
      const values =
        known?.type === 'select' ? known.options.flatMap((each) => ('value' in each ? each.value : [])) : []
      if (params.configId !== 'model' || typeof params.value !== 'string' || !values.includes(params.value))
        throw sdk.RequestError.invalidParams(undefined, `There is no option ${params.configId} with that value.`)
      return { configOptions: configOptions(runner.updateSession(session.id, { model: params.value })) }
    })
    .onRequest(methods.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const { id } = own(sessionId)
      const { text, attachments } = promptParts(prompt)
      if (text.trim() === '' && attachments.length === 0)
        throw sdk.RequestError.invalidParams(undefined, 'The prompt is empty.')
      const cancel = new AbortController()
      prompts.set(id, cancel)
      try {
        return { stopReason: await followTurn(engine, sdk, client, id, text, attachments, cancel.signal) }
      } finally {
        if (prompts.get(id) === cancel) prompts.delete(id)
      }
    })
    .onNotification(methods.session.cancel, ({ params: { sessionId } }) => {
      prompts.get(sessionId)?.abort()
      runner.stop(sessionId)
    })
}

/** The commands that can be typed behind a slash, for the client's completion. */
async function tellCommands(
  { slash, store }: Engine,
  sdk: typeof acp,
  client: acp.AgentContext,
  sessionId: string,
): Promise<void> {
  const session = store.sessions.find(sessionId)
  if (!session) return
  const { workspace, agentId } = session
  const availableCommands = (await slash.list({ sessionId, workspace, agentId })).map(
    ({ name, description, hint }) => ({
      name,
      description,
      ...(hint && { input: { hint } }),
    }),
  )
  if (availableCommands.length === 0) return
  const update = { sessionUpdate: 'available_commands_update' as const, availableCommands }
  await client.notify(sdk.methods.client.session.update, { sessionId, update })
}

const listedSession = ({ id, workspace, title, updatedAt }: Session): acp.SessionInfo => ({
  sessionId: id,
  cwd: workspace,
  title,
  updatedAt: new Date(updatedAt).toISOString(),
})

const modeState = ({ mode }: Session): acp.SessionModeState => ({ currentModeId: mode, availableModes: [...modes] })

/** The models that a session may have, the one that it has among them. */
function modelOption(
  providers: ReturnType<Engine['providers']['list']>,
  { model }: Session,
): acp.SessionConfigOption[] {
  const offered = providers.flatMap(({ name: provider, models }) =>
    models.map(({ id, name }) => ({ value: id, name, description: provider })),
  )
  const guide = { value: 'guide', name: 'Offline guide', description: 'Follows simple rules; not a model.' }
  const known = [...offered, guide]
  const listed = known.some(({ value }) => value === model) ? known : [...known, { value: model, name: model }]
  return [{ id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: model, options: listed }]
}
