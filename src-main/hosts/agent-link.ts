import type * as acp from '@agentclientprotocol/sdk'
import { isRecord } from '../is-record'
import { type AgentProcess, startAgent } from './agent-process'
import { followUpdates } from './agent-updates'
import type { AgentLaunch } from './find-agents'
import { hostLimits } from './limits'
import { serveAgent } from './serve-agent'
import type { HostedUpdate } from './updates'

/** What an agent tells us and asks of us, for one session. What is thrown is told to the agent as an error. */
export interface AgentClient {
  update(update: HostedUpdate): void
  permission(request: acp.RequestPermissionRequest, signal: AbortSignal): Promise<acp.RequestPermissionResponse>
  readFile(request: acp.ReadTextFileRequest, signal: AbortSignal): Promise<acp.ReadTextFileResponse>
  writeFile(request: acp.WriteTextFileRequest, signal: AbortSignal): Promise<void>
  createTerminal(request: acp.CreateTerminalRequest, signal: AbortSignal): Promise<acp.CreateTerminalResponse>
  terminalOutput(id: string): Promise<acp.TerminalOutputResponse>
  waitForTerminal(id: string, signal: AbortSignal): Promise<acp.WaitForTerminalExitResponse>
  killTerminal(id: string): Promise<void>
  releaseTerminal(id: string): Promise<void>
}

interface LinkOptions {
  launch: AgentLaunch
  cwd: string
  env: Record<string, string>
  client: AgentClient
  version: string
}

/** Words for the user about an agent that does not do what it should. */
export class HostError extends Error {
  override name = 'HostError'
  constructor(
    message: string,
    /** It wants the user to sign in. */
    readonly signIn = false,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A running agent, connected and initialized. */
export interface AgentLink {
  readonly hello: acp.InitializeResponse
  readonly pid: number
  /** Settles once it has ended, with words about how. */
  readonly gone: Promise<string>
  /** When it last said anything. */
  lastHeard(): number
  newSession(cwd: string, mcpServers: acp.McpServer[]): Promise<acp.NewSessionResponse>
  /** Takes an earlier session up again. What it replays of the past is not passed on. */
  loadSession(id: string, cwd: string, mcpServers: acp.McpServer[]): Promise<acp.LoadSessionResponse>
  canLoad: boolean
  /** A new session that begins with all that an earlier one knows; not there where the agent does not offer it. */
  forkSession?(id: string, cwd: string, mcpServers: acp.McpServer[]): Promise<ForkedSession>
  /** Without a limit: the caller watches for signs of life. */
  prompt(sessionId: string, prompt: acp.ContentBlock[]): Promise<acp.StopReason>
  cancel(sessionId: string): void
  setMode(sessionId: string, modeId: string): Promise<void>
  setOption(sessionId: string, configId: string, value: string | boolean): Promise<acp.SessionConfigOption[]>
  authenticate(methodId: string): Promise<void>
  close(): Promise<void>
  kill(): void
}

/** Not in the stable part of the protocol yet. */
export type ForkedSession = Pick<acp.NewSessionResponse, 'sessionId' | 'modes' | 'configOptions'>
const forkMethod = 'session/fork'

/** ACP's code for an agent that wants a sign-in first. */
const authRequired = -32000

export async function openLink(options: LinkOptions): Promise<AgentLink> {
  const { launch, cwd, env, client } = options
  const limits = hostLimits
  // Loaded with the first agent: most runs have none.
  const sdk = await import('@agentclientprotocol/sdk')
  const agent = await startAgent(launch, { cwd, env })
  const updates = followUpdates(sdk.methods.client.session.update, (update) => client.update(update))
  const stream = sdk.ndJsonStream(agent.input, agent.output, { maxMessageBytes: limits.messageBytes })
  const connection = serveAgent(sdk, client, updates.isOurs).connect({
    writable: stream.writable,
    readable: stream.readable.pipeThrough(updates.stream),
  })
  const gone = agent.ended.then((how) => {
    const words = agent.lastWords()
    return `${launch.name} ${how}.${words && ` It wrote:\n${words}`}`
  })
  const troubleOf = (error: unknown, what: string): Promise<Error> =>
    hostError(error, launch.name, what, connection.signal.aborted ? gone : null, agent)
  const ask = limitedRequests(launch.name, gone, troubleOf)
  const { agent: peer } = connection
  const { agent: methods } = sdk.methods

  const greet = (): Promise<acp.InitializeResponse> =>
    peer.request(methods.initialize, greeting(sdk.PROTOCOL_VERSION, options.version))
  const hello = await ask('answer', limits.startMs, greet)
    .then((answer) => sameVersion(answer, sdk.PROTOCOL_VERSION, launch.name))
    .catch((error: unknown) => {
      agent.kill()
      throw error
    })
  const { agentCapabilities } = hello
  const canResume = Boolean(agentCapabilities?.sessionCapabilities?.resume)
  const offered: unknown = agentCapabilities?.sessionCapabilities
  const canFork = isRecord(offered) && Boolean(offered.fork)
  return {
    hello,
    pid: agent.pid,
    gone,
    lastHeard: updates.lastHeard,
    canLoad: Boolean(agentCapabilities?.loadSession) || canResume,
    newSession: async (folder, mcpServers) => {
      const made = await ask('make a session', limits.sessionMs, () =>
        peer.request(methods.session.new, { cwd: folder, mcpServers }),
      )
      updates.begin(made.sessionId)
      return made
    },
    ...(canFork && {
      forkSession: async (id: string, folder: string, mcpServers: acp.McpServer[]) => {
        const params = { sessionId: id, cwd: folder, mcpServers }
        const made = await ask('branch off the session', limits.sessionMs, () =>
          peer.request<unknown>(forkMethod, params),
        )
        if (!isFork(made)) throw namelessFork(launch.name)
        updates.beginFork(made.sessionId)
        return made
      },
    }),
    loadSession: (id, folder, mcpServers) => {
      const params = { sessionId: id, cwd: folder, mcpServers }
      const load = (): Promise<acp.LoadSessionResponse> =>
        canResume ? peer.request(methods.session.resume, params) : peer.request(methods.session.load, params)
      return updates.takeUp(id, () => ask('load the session', limits.sessionMs, load))
    },
    prompt: async (id, prompt) => {
      updates.heard()
      try {
        const dead = ending(gone)
        const answer = peer.request(methods.session.prompt, { sessionId: id, prompt })
        return (await Promise.race([answer, dead])).stopReason
      } catch (error) {
        throw await troubleOf(error, 'answer')
      }
    },
    cancel: (id) => {
      peer.notify(methods.session.cancel, { sessionId: id }).catch(() => {
        // The connection is closed, and with it the turn.
      })
    },
    setMode: async (id, modeId) => {
      const set = () => peer.request(methods.session.setMode, { sessionId: id, modeId })
      await ask('take the mode', limits.optionMs, set)
    },
    setOption: async (id, configId, value) => {
      const chosen = typeof value === 'boolean' ? { type: 'boolean' as const, value } : { value }
      const taken = await ask('take the option', limits.optionMs, () =>
        peer.request(methods.session.setConfigOption, { sessionId: id, configId, ...chosen }),
      )
      return taken.configOptions
    },
    authenticate: async (methodId) => {
      await ask('finish the sign-in', limits.signInMs, () => peer.request(methods.authenticate, { methodId }))
    },
    close: async () => {
      connection.close()
      await agent.end()
    },
    kill: agent.kill,
  }
}

const sameVersion = (hello: acp.InitializeResponse, version: number, name: string): acp.InitializeResponse => {
  if (hello.protocolVersion === version) return hello
  throw new HostError(`${name} speaks version ${hello.protocolVersion} of the protocol, which is not supported.`)
}

const greeting = (protocolVersion: number, version: string): acp.InitializeRequest => ({
  protocolVersion,
  clientInfo: { name: 'deckhand', title: 'Deckhand', version },
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    auth: { terminal: true },
    session: { notices: {}, configOptions: { boolean: {} } },
    // What their own commands write: not in the protocol, but sent by those that see this.
    _meta: { terminal_output_delta: true },
  },
})

/** Requests whose answer is waited for only so long, and not beyond the end of the agent. */
const limitedRequests =
  (name: string, gone: Promise<string>, troubleOf: (error: unknown, what: string) => Promise<Error>) =>
  async <Result>(what: string, ms: number, work: () => Promise<Result>): Promise<Result> => {
    const limit = Promise.withResolvers<never>()
    const timer = setTimeout(() => limit.reject(new HostError(`${name} did not ${what} within ${ms / 1000} s.`)), ms)
    const dead = ending(gone)
    try {
      return await Promise.race([work(), limit.promise, dead])
    } catch (error) {
      throw await troubleOf(error, what)
    } finally {
      clearTimeout(timer)
      dead.catch(() => {})
    }
  }

/** Rejects when the agent has ended. */
const ending = (gone: Promise<string>): Promise<never> =>
  gone.then((words): never => {
    throw new HostError(words)
  })

const namelessFork = (name: string): HostError =>
  new HostError(`${name} branched off the session without saying which one it is.`)

const isFork = (made: unknown): made is ForkedSession =>
  isRecord(made) && typeof made.sessionId === 'string' && made.sessionId !== ''

/** What went wrong, in words for the user. */
async function hostError(
  error: unknown,
  name: string,
  what: string,
  closed: Promise<string> | null,
  agent: AgentProcess,
): Promise<Error> {
  if (error instanceof HostError) return error
  const { code, message, data } = fieldsOf(error)
  if (closed && typeof code !== 'number') {
    // Its output cannot be read any more, so it is of no use.
    agent.kill()
    const how = await closed
    return new HostError(`${name} sent something that cannot be read, or closed the connection. ${how}`, false, {
      cause: error,
    })
  }
  const detail = data === undefined || data === null ? '' : ` ${JSON.stringify(data).slice(0, 500)}`
  const words = `${typeof message === 'string' ? message : String(error)}${detail}`.slice(0, 1500)
  if (code === authRequired)
    return new HostError(`${name} wants you to sign in first. ${words}`, true, { cause: error })
  return new HostError(`${name} could not ${what}: ${words}`, false, { cause: error })
}

const fieldsOf = (error: unknown): { code?: unknown; message?: unknown; data?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}
