import type * as acp from '@agentclientprotocol/sdk'
import type { HostedInfo } from '../../src-preload/contract/hosted'
import { agentEnv } from '../nodes/command-env'
import { type AgentClient, type AgentLink, HostError, openLink } from './agent-link'
import type { AgentLaunch } from './find-agents'
import type { Forks } from './forks'
import { optionsOf, signInsOf } from './hosted-info'
import type { HostedInfos } from './hosted-infos'
import type { CagedAgent, HostedPlace, HostsOptions, ReadyAgent, ToolsForAgent } from './types'

/** An agent that has made, or taken up again, its own session for one of ours. */
export interface OpenSession {
  link: AgentLink
  /** What the agent calls the session. */
  remoteId: string
  /** What it knows of the session when it begins. */
  begins: Pick<ReadyAgent, 'fresh' | 'replaced' | 'notForked'>
  tools: ToolsForAgent | null
}

interface Opening {
  session: HostedPlace
  agent: string
  launch: AgentLaunch
  client: AgentClient
  infos: HostedInfos
  /** The way to sign in that was chosen before. */
  signInMethod: string | undefined
  forks: Forks
  options: HostsOptions
}

/** Starts the agent, signs in where it wants that, and opens the session. What becomes of it is told by `infos`. */
export async function openSession(opening: Opening): Promise<OpenSession> {
  const { session, agent, launch, infos } = opening
  const { rows } = opening.options
  const { id: sessionId, workspace } = session
  const row = rows.find(sessionId)
  const earlier = row?.agent === agent && row.folder === workspace ? row : null
  const blank: HostedInfo = {
    sessionId,
    agent,
    name: launch.name,
    version: '',
    state: 'starting',
    options: [],
    commands: [],
    signIns: [],
    caged: false,
  }
  const { problem: _, ...before } = earlier?.info ?? blank
  infos.set({ ...before, name: launch.name, state: 'starting' })
  const { link, tools } = await openCagedLink(opening, blank)
  const version = link.hello.agentInfo?.version ?? ''
  infos.set({ ...(infos.get(sessionId) ?? blank), version, signIns: signInsOf(link.hello) })
  try {
    const mcpServers = tools ? [serverOf(tools)] : []
    const opened = earlier
      ? await signedIn(opening, link, () => load(opening, link, earlier.remoteId, mcpServers))
      : await beginAnew(opening, link, mcpServers)
    const known = infos.get(sessionId) ?? blank
    const offered = optionsOf(opened.answer)
    const next: HostedInfo = { ...known, state: 'ready', options: offered.length > 0 ? offered : known.options }
    rows.save(sessionId, { agent, remoteId: opened.remoteId, folder: workspace, info: next })
    if (opened.begins.fresh) rows.forgetSent(sessionId)
    infos.set(next)
    return { link, remoteId: opened.remoteId, begins: opened.begins, tools }
  } catch (error) {
    if (error instanceof HostError && error.signIn) infos.setState(sessionId, 'signed-out', error.message)
    else if (!(error instanceof CannotLoad)) infos.setState(sessionId, 'off', wordsOf(error))
    await link.close()
    throw error
  }
}

/** Starts the agent with our tools, in the sandbox where that is wanted. Both are closed when it has ended. */
async function openCagedLink(
  { session, launch, client, infos, options }: Opening,
  blank: HostedInfo,
): Promise<{ link: AgentLink; tools: ToolsForAgent | null }> {
  const { id: sessionId, workspace } = session
  const env = agentEnv(options.env, launch.env)
  let tools: ToolsForAgent | null = null
  let caged: CagedAgent | null = null
  const closeBoth = (): void => {
    tools?.close()
    caged?.close()
  }
  try {
    tools = (await options.openTools?.(session)) ?? null
    const onRefused = (host: string): void => infos.addRefused(sessionId, host)
    caged = (await options.cage?.(launch, session, env, { folders: tools?.folders ?? [], onRefused })) ?? null
    if (caged) {
      const { can, note, hosts, argv } = caged
      const cage = { can, note, hosts: [...hosts], refused: [] }
      infos.set({ ...(infos.get(sessionId) ?? blank), caged: argv !== null, cage })
    }
    const link = await openLink({
      launch: caged?.argv ? { ...launch, argv: caged.argv } : launch,
      cwd: workspace,
      env: caged?.argv ? { ...env, NODE_USE_ENV_PROXY: '1' } : env,
      client: {
        ...client,
        update: (update) => {
          if (!infos.take(sessionId, update)) client.update(update)
        },
      },
      version: options.version,
    })
    void link.gone.then(closeBoth)
    return { link, tools }
  } catch (error) {
    closeBoth()
    infos.setState(sessionId, 'off', wordsOf(error))
    throw error
  }
}

/** Signs in the way that was chosen before, where the agent wants it, and tries again. */
async function signedIn<Result>(
  { signInMethod }: Opening,
  link: AgentLink,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HostError) || !error.signIn || signInMethod === undefined) throw error
    await link.authenticate(signInMethod)
    return work()
  }
}

interface Opened {
  remoteId: string
  answer: Pick<acp.NewSessionResponse, 'modes' | 'configOptions'>
  begins: OpenSession['begins']
}

/** A session that branches off another one where that was wanted and can be had, and a new one otherwise. */
async function beginAnew(opening: Opening, link: AgentLink, mcpServers: acp.McpServer[]): Promise<Opened> {
  const { session, agent, launch, forks } = opening
  const place = { id: session.id, workspace: session.workspace, agent, name: launch.name }
  const fork = await signedIn(opening, link, () => forks.take(link, place, mcpServers))
  if (fork && typeof fork !== 'string') {
    const begins = { fresh: false, replaced: fork.replaced, notForked: null }
    return { remoteId: fork.made.sessionId, answer: fork.made, begins }
  }
  const answer = await signedIn(opening, link, () => link.newSession(session.workspace, mcpServers))
  return { remoteId: answer.sessionId, answer, begins: { fresh: true, replaced: null, notForked: fork } }
}

/** Throws where the agent's past with this session is gone: going on as if nothing had been said would mislead. */
async function load(
  { session: { id, workspace }, launch, infos }: Opening,
  link: AgentLink,
  remoteId: string,
  mcpServers: acp.McpServer[],
): Promise<Opened> {
  const readOnly = (why: string, cause?: unknown): CannotLoad => {
    const words = `${why} What was said can be read here; to go on, hand it to another agent or model below the message box.`
    infos.setState(id, 'read-only', words)
    return new CannotLoad(words, false, { cause })
  }
  if (!link.canLoad) throw readOnly(`${launch.name} cannot take up earlier sessions.`)
  try {
    const answer = await link.loadSession(remoteId, workspace, mcpServers)
    return { remoteId, answer, begins: { fresh: false, replaced: null, notForked: null } }
  } catch (error) {
    if (error instanceof HostError && error.signIn) throw error
    throw readOnly(wordsOf(error), error)
  }
}

/** An agent whose past with the session is gone. */
class CannotLoad extends HostError {}

const serverOf = ({ name, program: { argv, env } }: ToolsForAgent): acp.McpServer => {
  const [command, ...args] = argv
  return { name, command, args, env: Object.entries(env).map(([name, value]) => ({ name, value })) }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
