import type * as acp from '@agentclientprotocol/sdk'
import type { HostedInfo } from '../../src-preload/contract/hosted'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import { agentEnv } from '../nodes/command-env'
import { agentTrouble, launchNamed } from './agent-choice'
import { type AgentClient, type AgentLink, HostError, openLink } from './agent-link'
import { type AgentLaunch, findAgents } from './find-agents'
import { createForks } from './forks'
import type { HostRow } from './host-rows'
import { modeOption, optionsOf, signInsOf, withUpdate } from './hosted-info'
import { hostLimits } from './limits'
import type { CagedAgent, HostedPlace, Hosts, HostsOptions, ReadyAgent, ToolsForAgent } from './types'

export type { Hosts, ReadyAgent } from './types'

const mostRefused = 20

interface Running {
  agent: string
  link: AgentLink
  remoteId: string
  launch: AgentLaunch
  ready: ReadyAgent
  tools: ToolsForAgent | null
  busy: boolean
  idle: NodeJS.Timeout | null
}

export function createHosts(options: HostsOptions): Hosts {
  const { rows, publish, log } = options
  const running = new Map<string, Running>()
  const opening = new Map<string, Promise<ReadyAgent>>()
  const infos = new Map<string, HostedInfo>()
  const namedSignIns = new Map<string, string>()
  const forks = createForks(rows, log)

  const launchFor = (agent: string): AgentLaunch => launchNamed(agent, options.surroundings())

  const info = (sessionId: string): HostedInfo | null => infos.get(sessionId) ?? rows.find(sessionId)?.info ?? null

  const tell = (next: HostedInfo): void => {
    infos.set(next.sessionId, next)
    const row = rows.find(next.sessionId)
    if (row) rows.save(next.sessionId, { ...row, info: next })
    publish({ type: 'hosted', info: next })
  }

  const tellState = (sessionId: string, state: HostedInfo['state'], problem?: string): void => {
    const known = info(sessionId)
    if (!known) return
    const { problem: _, ...rest } = known
    tell({ ...rest, state, ...(problem !== undefined && { problem }) })
  }

  const start = async (session: HostedPlace, agent: string, client: AgentClient): Promise<ReadyAgent> => {
    const launch = launchFor(agent)
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
    tell({ ...before, name: launch.name, state: 'starting' })
    const env = agentEnv(options.env, launch.env)
    const onRefused = (host: string): void => {
      const known = info(sessionId)
      if (!known?.cage || known.cage.refused.includes(host) || known.cage.refused.length >= mostRefused) return
      tell({ ...known, cage: { ...known.cage, refused: [...known.cage.refused, host] } })
    }
    const listening: AgentClient = {
      ...client,
      update: (update) => {
        const known = info(sessionId)
        const changed = known && withUpdate(known, update)
        if (changed) tell(changed)
        else client.update(update)
      },
    }
    let link: AgentLink
    let tools: ToolsForAgent | null = null
    let caged: CagedAgent | null = null
    try {
      tools = (await options.openTools?.(session)) ?? null
      const folders = tools?.folders ?? []
      caged = (await options.cage?.(launch, session, env, { folders, onRefused })) ?? null
      if (caged) {
        const { can, note, hosts, argv } = caged
        tell({
          ...(info(sessionId) ?? blank),
          caged: argv !== null,
          cage: { can, note, hosts: [...hosts], refused: [] },
        })
      }
      link = await openLink({
        launch: caged?.argv ? { ...launch, argv: caged.argv } : launch,
        cwd: workspace,
        env: caged?.argv ? { ...env, NODE_USE_ENV_PROXY: '1' } : env,
        client: listening,
        version: options.version,
      })
    } catch (error) {
      tools?.close()
      caged?.close()
      tellState(sessionId, 'off', wordsOf(error))
      throw error
    }
    void link.gone.then(() => {
      tools?.close()
      caged?.close()
    })
    const { hello } = link
    const version = hello.agentInfo?.version ?? ''
    tell({ ...(info(sessionId) ?? blank), version, signIns: signInsOf(hello) })
    try {
      const mcpServers = tools ? [serverOf(tools)] : []
      const resume = (row: HostRow) => load(link, row.remoteId, session, launch.name, mcpServers)
      const loaded = earlier ? await signedIn(agent, link, () => resume(earlier)) : null
      const place = { id: sessionId, workspace, agent, name: launch.name }
      const fork = loaded ? null : await signedIn(agent, link, () => forks.take(link, place, mcpServers))
      const forked = typeof fork === 'string' ? null : fork
      const made = loaded ?? forked?.made ?? (await signedIn(agent, link, () => link.newSession(workspace, mcpServers)))
      const remoteId = 'sessionId' in made ? (made.sessionId as string) : (earlier?.remoteId ?? '')
      const ready = readyAgent(link, remoteId, launch.name, {
        fresh: loaded === null && forked === null,
        replaced: forked?.replaced ?? null,
        notForked: typeof fork === 'string' ? fork : null,
      })
      const known = info(sessionId) ?? blank
      const offered = optionsOf(made)
      const next: HostedInfo = { ...known, state: 'ready', options: offered.length > 0 ? offered : known.options }
      rows.save(sessionId, { agent, remoteId, folder: workspace, info: next })
      if (ready.fresh) rows.forgetSent(sessionId)
      tell(next)
      const entry: Running = { agent, link, remoteId, launch, ready, tools, busy: false, idle: null }
      running.set(sessionId, entry)
      void link.gone.then((how) => {
        if (running.get(sessionId) !== entry) return
        running.delete(sessionId)
        log.info('A hosted agent ended', { session: sessionId, agent, how: how.slice(0, 300) })
        tellState(sessionId, 'off')
      })
      return ready
    } catch (error) {
      if (error instanceof HostError && error.signIn) tellState(sessionId, 'signed-out', error.message)
      else if (!(error instanceof CannotLoad)) tellState(sessionId, 'off', wordsOf(error))
      await link.close()
      throw error
    }
  }

  /** Signs in the way that was chosen before, where the agent wants it, and tries again. */
  const signedIn = async <Result>(agent: string, link: AgentLink, work: () => Promise<Result>): Promise<Result> => {
    const method = namedSignIns.get(agent) ?? options.signIns.get(agent)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HostError) || !error.signIn || method === undefined) throw error
      await link.authenticate(method)
      return work()
    }
  }

  /** Throws where the agent's past with this session is gone: going on as if nothing had been said would mislead. */
  const load = async (
    link: AgentLink,
    remoteId: string,
    { id, workspace }: HostedPlace,
    name: string,
    mcpServers: acp.McpServer[],
  ): Promise<acp.LoadSessionResponse> => {
    const readOnly = (why: string, cause?: unknown): CannotLoad => {
      const words = `${why} What was said can be read here; to go on, hand it to another agent or model below the message box.`
      tellState(id, 'read-only', words)
      return new CannotLoad(words, false, { cause })
    }
    if (!link.canLoad) throw readOnly(`${name} cannot take up earlier sessions.`)
    try {
      return await link.loadSession(remoteId, workspace, mcpServers)
    } catch (error) {
      if (error instanceof HostError && error.signIn) throw error
      throw readOnly(`${wordsOf(error)}`, error)
    }
  }

  const drop = async (sessionId: string): Promise<void> => {
    const entry = running.get(sessionId)
    if (!entry) return
    running.delete(sessionId)
    if (entry.idle) clearTimeout(entry.idle)
    await entry.link.close()
    tellState(sessionId, 'off')
  }

  const open: Hosts['open'] = async (session, client) => {
    const agent = hostedAgentOf(session.model) ?? ''
    const entry = running.get(session.id)
    if (entry?.agent === agent) return entry.ready
    if (entry) await drop(session.id)
    const under = opening.get(session.id)
    if (under) return under
    const work = start(session, agent, client).finally(() => opening.delete(session.id))
    opening.set(session.id, work)
    return work
  }

  return {
    agents: () => findAgents(options.surroundings()).list,
    trouble: (agent, byCommand) => agentTrouble(agent, options.surroundings(), byCommand),
    info,
    toolsName: (sessionId) => running.get(sessionId)?.tools?.name ?? null,
    open,
    branch: forks.branch,
    sent: rows.sent,
    setSent: rows.setSent,
    busy: (sessionId, busy) => {
      const entry = running.get(sessionId)
      if (!entry) return
      entry.busy = busy
      if (entry.idle) clearTimeout(entry.idle)
      entry.idle = null
      // One that cannot load the session again would lose it.
      if (!busy && entry.link.canLoad)
        entry.idle = setTimeout(() => {
          drop(sessionId).catch((error: unknown) => log.warn('Could not end an idle agent', { error }))
        }, hostLimits.idleMs).unref()
    },
    choose: async (sessionId, optionId, value) => {
      const entry = running.get(sessionId)
      const known = info(sessionId)
      const option = known?.options.find(({ id }) => id === optionId)
      if (!entry || !known || !option)
        throw new Error('The agent of this session is not running. Send a message first.')
      if (!option.choices.some((each) => each.value === value))
        throw new Error(`${option.name} has no choice ${value}.`)
      if (optionId === modeOption) {
        await entry.link.setMode(entry.remoteId, value)
        const options = known.options.map((each) => (each.id === optionId ? { ...each, current: value } : each))
        tell({ ...(info(sessionId) ?? known), options })
        return
      }
      const given = option.current === 'true' || option.current === 'false' ? value === 'true' : value
      const configOptions = await entry.link.setOption(entry.remoteId, optionId, given)
      const latest = info(sessionId) ?? known
      const modes = latest.options.filter(({ id }) => id === modeOption)
      tell({ ...latest, options: [...modes, ...optionsOf({ configOptions })] })
    },
    setCage: async (agent, on) => {
      options.cageWishes.set(agent, { ...options.cageWishes.get(agent), on })
      const rest = [...running].filter(([, entry]) => entry.agent === agent && !entry.busy && entry.link.canLoad)
      await Promise.all(rest.map(([sessionId]) => drop(sessionId)))
    },
    allowHost: (agent, host) => {
      const wish = options.cageWishes.get(agent)
      options.cageWishes.set(agent, { ...wish, hosts: [...new Set([...(wish.hosts ?? []), host])] })
      for (const [sessionId, entry] of running) {
        const known = info(sessionId)
        if (entry.agent !== agent || !known?.cage) continue
        const { hosts, refused } = known.cage
        const cage = {
          ...known.cage,
          hosts: [...new Set([...hosts, host])],
          refused: refused.filter((each) => each !== host),
        }
        tell({ ...known, cage })
      }
    },
    signIn: async (session, methodId, client) => {
      const agent = hostedAgentOf(session.model) ?? ''
      const launch = launchFor(agent)
      const link = await openLink({
        launch,
        cwd: session.workspace,
        env: agentEnv(options.env, launch.env),
        client,
        version: options.version,
      })
      try {
        const method = link.hello.authMethods?.find(({ id }) => id === methodId)
        if (!method) throw new HostError(`${launch.name} has no sign-in ${methodId}.`)
        if ('type' in method && method.type === 'terminal') {
          const { args = [], env = {} } = method
          return { argv: [launch.argv[0], ...args], env: { ...launch.env, ...env } }
        }
        await link.authenticate(methodId)
        options.signIns.set(agent, methodId)
        tellState(session.id, 'off')
        return null
      } finally {
        await link.close()
      }
    },
    signInBy: (agent, methodId) => void namedSignIns.set(agent, methodId),
    drop,
    forget: async (sessionId) => {
      await drop(sessionId)
      rows.remove(sessionId)
    },
    killAll: () => {
      for (const { link } of running.values()) link.kill()
    },
    close: async () => {
      for (const { idle } of running.values()) if (idle) clearTimeout(idle)
      const links = [...running.values()].map(({ link }) => link)
      running.clear()
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

/** An agent whose past with the session is gone. */
export class CannotLoad extends HostError {}

const serverOf = ({ name, program: { argv, env } }: ToolsForAgent): acp.McpServer => {
  const [command, ...args] = argv
  return { name, command, args, env: Object.entries(env).map(([name, value]) => ({ name, value })) }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const readyAgent = (
  link: AgentLink,
  remoteId: string,
  name: string,
  begins: Pick<ReadyAgent, 'fresh' | 'replaced' | 'notForked'>,
): ReadyAgent => {
  const ready: ReadyAgent = {
    name,
    ...begins,
    takes: link.hello.agentCapabilities?.promptCapabilities ?? {},
    gone: link.gone,
    lastHeard: link.lastHeard,
    prompt: (blocks) => {
      Object.assign(ready, { fresh: false, replaced: null, notForked: null })
      return link.prompt(remoteId, blocks)
    },
    cancel: () => link.cancel(remoteId),
    kill: link.kill,
  }
  return ready
}
