import type { HostedInfo } from '../../src-preload/contract/hosted'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import { agentEnv } from '../nodes/command-env'
import { agentTrouble, launchNamed } from './agent-choice'
import { type AgentClient, HostError, openLink } from './agent-link'
import { type AgentLaunch, findAgents } from './find-agents'
import { createForks } from './forks'
import { modeOption, optionsOf } from './hosted-info'
import { createHostedInfos, type HostedInfos } from './hosted-infos'
import { hostLimits } from './limits'
import { type OpenSession, openSession } from './open-session'
import type { HostedPlace, Hosts, HostsOptions, ReadyAgent, SignInProgram } from './types'

export type { Hosts, ReadyAgent } from './types'

interface Running extends OpenSession {
  agent: string
  ready: ReadyAgent
  busy: boolean
  idle: NodeJS.Timeout | null
}

/** The agents that run now, one for each session at the most. */
export function createHosts(options: HostsOptions): Hosts {
  const { rows, log } = options
  const running = new Map<string, Running>()
  const opening = new Map<string, Promise<ReadyAgent>>()
  const infos = createHostedInfos(rows, options.publish)
  const namedSignIns = new Map<string, string>()
  const forks = createForks(rows, log)

  const launchFor = (agent: string): AgentLaunch => launchNamed(agent, options.surroundings())

  const start = async (session: HostedPlace, agent: string, client: AgentClient): Promise<ReadyAgent> => {
    const launch = launchFor(agent)
    const signInMethod = namedSignIns.get(agent) ?? options.signIns.get(agent)
    const opened = await openSession({ session, agent, launch, client, infos, signInMethod, forks, options })
    const ready = readyAgent(opened, launch.name)
    const entry: Running = { ...opened, agent, ready, busy: false, idle: null }
    running.set(session.id, entry)
    void opened.link.gone.then((how) => {
      if (running.get(session.id) !== entry) return
      running.delete(session.id)
      log.info('A hosted agent ended', { session: session.id, agent, how: how.slice(0, 300) })
      infos.setState(session.id, 'off')
    })
    return ready
  }

  const drop = async (sessionId: string): Promise<void> => {
    const entry = running.get(sessionId)
    if (!entry) return
    running.delete(sessionId)
    if (entry.idle) clearTimeout(entry.idle)
    await entry.link.close()
    infos.setState(sessionId, 'off')
  }

  return {
    agents: () => findAgents(options.surroundings()).list,
    trouble: (agent, byCommand) => agentTrouble(agent, options.surroundings(), byCommand),
    info: infos.get,
    toolsName: (sessionId) => running.get(sessionId)?.tools?.name ?? null,
    open: async (session, client) => {
      const agent = hostedAgentOf(session.model) ?? ''
      const entry = running.get(session.id)
      if (entry?.agent === agent) return entry.ready
      if (entry) await drop(session.id)
      const under = opening.get(session.id)
      if (under) return under
      const work = start(session, agent, client).finally(() => opening.delete(session.id))
      opening.set(session.id, work)
      return work
    },
    branch: forks.branch,
    sent: rows.sent,
    setSent: rows.setSent,
    busy: (sessionId, busy) => {
      const entry = running.get(sessionId)
      const end = (): void =>
        void drop(sessionId).catch((error: unknown) => log.warn('Could not end an idle agent', { error }))
      if (entry) setBusy(entry, busy, end)
    },
    choose: async (sessionId, optionId, value) => {
      const entry = running.get(sessionId)
      const known = infos.get(sessionId)
      if (!entry || !known) throw notRunning()
      await choose(entry, known, infos, { optionId, value })
    },
    setCage: async (agent, on) => {
      options.cageWishes.set(agent, { ...options.cageWishes.get(agent), on })
      const rest = [...running].filter(([, entry]) => entry.agent === agent && !entry.busy && entry.link.canLoad)
      await Promise.all(rest.map(([sessionId]) => drop(sessionId)))
    },
    allowHost: (agent, host) => {
      const wish = options.cageWishes.get(agent)
      options.cageWishes.set(agent, { ...wish, hosts: [...new Set([...(wish.hosts ?? []), host])] })
      for (const [sessionId, entry] of running) if (entry.agent === agent) infos.addHost(sessionId, host)
    },
    signIn: async (session, methodId, client) => {
      const agent = hostedAgentOf(session.model) ?? ''
      const program = await signIn(launchFor(agent), session, methodId, client, options)
      if (program) return program
      options.signIns.set(agent, methodId)
      infos.setState(session.id, 'off')
      return null
    },
    signInBy: (agent, methodId) => void namedSignIns.set(agent, methodId),
    drop,
    forget: (sessionId) => drop(sessionId).then(() => rows.remove(sessionId)),
    killAll: () => {
      for (const { link } of running.values()) link.kill()
    },
    close: async () => {
      const entries = [...running.values()]
      running.clear()
      for (const { idle } of entries) if (idle) clearTimeout(idle)
      await Promise.all(entries.map(({ link }) => link.close()))
    },
  }
}

/** Ends an agent that has nothing to do for a while, unless it could not load the session again, which would lose it. */
const setBusy = (entry: Running, busy: boolean, end: () => void): void => {
  entry.busy = busy
  if (entry.idle) clearTimeout(entry.idle)
  entry.idle = !busy && entry.link.canLoad ? setTimeout(end, hostLimits.idleMs).unref() : null
}

const notRunning = (): Error => new Error('The agent of this session is not running. Send a message first.')

/** Sets an option of the agent's own, or its mode. */
async function choose(
  { link, remoteId }: OpenSession,
  known: HostedInfo,
  infos: HostedInfos,
  { optionId, value }: { optionId: string; value: string },
): Promise<void> {
  const option = known.options.find(({ id }) => id === optionId)
  if (!option) throw notRunning()
  if (!option.choices.some((each) => each.value === value)) throw new Error(`${option.name} has no choice ${value}.`)
  if (optionId === modeOption) {
    await link.setMode(remoteId, value)
    const options = known.options.map((each) => (each.id === optionId ? { ...each, current: value } : each))
    infos.set({ ...(infos.get(known.sessionId) ?? known), options })
    return
  }
  const given = option.current === 'true' || option.current === 'false' ? value === 'true' : value
  const configOptions = await link.setOption(remoteId, optionId, given)
  const latest = infos.get(known.sessionId) ?? known
  const modes = latest.options.filter(({ id }) => id === modeOption)
  infos.set({ ...latest, options: [...modes, ...optionsOf({ configOptions })] })
}

/** Signs in by a run of the agent for this alone. Answers with the program to run in a terminal, where it is one. */
async function signIn(
  launch: AgentLaunch,
  session: HostedPlace,
  methodId: string,
  client: AgentClient,
  { env: base, version }: HostsOptions,
): Promise<SignInProgram | null> {
  const link = await openLink({ launch, cwd: session.workspace, env: agentEnv(base, launch.env), client, version })
  try {
    const method = link.hello.authMethods?.find(({ id }) => id === methodId)
    if (!method) throw new HostError(`${launch.name} has no sign-in ${methodId}.`)
    if ('type' in method && method.type === 'terminal') {
      const { args = [], env = {} } = method
      return { argv: [...launch.argv, ...args], env: { ...launch.env, ...env } }
    }
    await link.authenticate(methodId)
    return null
  } finally {
    await link.close()
  }
}

const readyAgent = ({ link, remoteId, begins }: OpenSession, name: string): ReadyAgent => {
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
