import type * as acp from '@agentclientprotocol/sdk'
import type { AgentOnMachine, HostedEvent, HostedInfo } from '../../src-preload/contract/hosted'
import type { Logger } from '../log'
import type { AgentClient } from './agent-link'
import type { AgentLaunch, Surroundings } from './find-agents'
import type { HostRows } from './host-rows'

export interface HostsOptions {
  rows: HostRows
  surroundings(): Surroundings
  env: Readonly<Record<string, string | undefined>>
  version: string
  publish(event: HostedEvent): void
  log: Logger
  /** Puts the whole agent into the sandbox, where that is wanted and can be had. */
  cage?(
    launch: AgentLaunch,
    session: HostedPlace,
    env: Readonly<Record<string, string>>,
    extra: { folders: readonly string[]; onRefused(host: string): void },
  ): Promise<CagedAgent>
  cageWishes: { get(agent: string): CageWish; set(agent: string, wish: CageWish): void }
  /** The ways to sign in that were chosen before, by agent. */
  signIns: { get(agent: string): string | undefined; set(agent: string, methodId: string): void }
  /** Opens our own tools for the agent of a session. */
  openTools?(session: HostedPlace): Promise<ToolsForAgent>
}

/** A server of tools that the agent starts itself. */
export interface ToolsForAgent {
  name: string
  program: { argv: readonly [string, ...string[]]; env: Readonly<Record<string, string>> }
  /** What has to be reachable for that. */
  folders: readonly string[]
  close(): void
}

/** What the user says of the sandbox around an agent. */
export interface CageWish {
  on?: boolean
  hosts?: string[]
}

export interface CagedAgent {
  /** What runs it inside; null where it runs outside. */
  argv: AgentLaunch['argv'] | null
  can: boolean
  /** Why it runs outside. */
  note: string
  hosts: readonly string[]
  close(): void
}

export interface HostedPlace {
  id: string
  workspace: string
  model: string
  sandbox: boolean
}

/** An agent that is ready to play turns of a session. */
export interface ReadyAgent {
  name: string
  /** It knows nothing of what was said in the session before. */
  fresh: boolean
  /** It knows another session that this one branches off: the beginning of the message there that it is to disregard. */
  replaced: string | null
  /** It should have begun as a branch and did not: why, in words. */
  notForked: string | null
  /** What a prompt may carry. */
  takes: acp.PromptCapabilities
  readonly gone: Promise<string>
  lastHeard(): number
  prompt(blocks: acp.ContentBlock[]): Promise<acp.StopReason>
  cancel(): void
  kill(): void
}

export interface Hosts {
  /** Those that were found here first, then others that are known. */
  agents(): AgentOnMachine[]
  /** Words for an agent that cannot be started; null for one that can. `byCommand`: it may be a whole command line. */
  trouble(agent: string, byCommand: boolean): string | null
  info(sessionId: string): HostedInfo | null
  /** The name under which the running agent of a session knows our tools; null where it has none. */
  toolsName(sessionId: string): string | null
  /** Starts the agent of a session, or takes the one that runs. */
  open(session: HostedPlace, client: AgentClient): Promise<ReadyAgent>
  /**
   * The agent of a new session begins with what the agent of another one knows, where it can. `replaced`: the beginning of
   * the message there that is no part of the new session, if it was read.
   */
  branch(sourceId: string, branchId: string, replaced: string | null): void
  /** The position of the last message that the agent of a session has read. */
  sent(sessionId: string): number
  setSent(sessionId: string, seq: number): void
  /** A turn begins or has ended. */
  busy(sessionId: string, busy: boolean): void
  choose(sessionId: string, optionId: string, value: string): Promise<void>
  /** Whether an agent is run in the sandbox from its next start on. Ends those that can go on later. */
  setCage(agent: string, on: boolean): Promise<void>
  /** Lets an agent in the sandbox connect to one more host. */
  allowHost(agent: string, host: string): void
  /** Answers with the program to run in a terminal, where the sign-in is one. */
  signIn(session: HostedPlace, methodId: string, client: AgentClient): Promise<SignInProgram | null>
  /** Names the way to sign in for this run. */
  signInBy(agent: string, methodId: string): void
  /** Ends the agent of a session. */
  drop(sessionId: string): Promise<void>
  /** Ends it, and lets the next one begin anew: the session is no longer what it has read. */
  forget(sessionId: string): Promise<void>
  killAll(): void
  close(): Promise<void>
}

export interface SignInProgram {
  argv: readonly [string, ...string[]]
  env: Record<string, string>
}
