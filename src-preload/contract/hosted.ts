/** Agents of other makers that play the turns of a session: plain data, as everything that crosses the border. */

/** A session whose `model` begins so has its turns played by the agent that the rest names. */
const prefix = 'agent:'

export const hostedModel = (agent: string): string => `${prefix}${agent}`

/** The agent that plays the turns of a session with this model; null where our own loop does. */
export const hostedAgentOf = (model: string): string | null =>
  model.startsWith(prefix) ? model.slice(prefix.length) : null

/** An agent that can be chosen, or could be after it was installed. */
export interface AgentOnMachine {
  id: string
  name: string
  /** The program and its arguments; null where it was not found. */
  command: readonly string[] | null
  /** Where it was found: by PATH, in a usual folder, or added in the settings. */
  source: 'path' | 'folder' | 'settings' | null
  /** How to get it, where that is known. */
  install?: string
}

interface HostedChoice {
  value: string
  name: string
  description?: string
}

/** Something of the agent's own that can be chosen: its mode, its model, how hard it thinks. */
export interface HostedOption {
  id: string
  name: string
  /** `mode` and `model` are shown first. */
  category: string
  current: string
  choices: HostedChoice[]
}

interface HostedCommand {
  name: string
  description: string
  hint?: string
}

/** A way to sign in. `terminal`: a program that asks in a terminal. */
export interface HostedSignIn {
  id: string
  name: string
  description?: string
  terminal: boolean
}

type HostedState =
  /** Not started; it starts with the next message. */
  | 'off'
  | 'starting'
  | 'ready'
  /** It wants the user to sign in first. */
  | 'signed-out'
  /** Its past with this session is gone and cannot be loaded: the session can be read, and handed to another agent. */
  | 'read-only'

/** What is known of the agent that plays the turns of a session. */
export interface HostedInfo {
  sessionId: string
  agent: string
  name: string
  version: string
  state: HostedState
  options: HostedOption[]
  commands: HostedCommand[]
  signIns: HostedSignIn[]
  /** Whether the whole agent runs inside the sandbox. */
  caged: boolean
  /** What is to say of that; not there before its first start. */
  cage?: HostedCage
  /** Why it is not ready, in words. */
  problem?: string
}

interface HostedCage {
  /** Whether it could run inside. */
  can: boolean
  /** Why it runs outside. */
  note: string
  /** Hosts that it may connect to. */
  hosts: string[]
  /** Hosts that it tried to connect to and could not. */
  refused: string[]
}

export type HostedEvent = { type: 'hosted'; info: HostedInfo } | { type: 'hosted-agents'; agents: AgentOnMachine[] }
