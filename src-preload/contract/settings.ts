import type { ModelCorrection } from './models'
import type { UsualMode } from './sessions'
import type { SkillEntry } from './skills'

export type Theme = 'system' | 'light' | 'dark'

/** How often a model may be asked in one turn where nobody has said otherwise. */
export const usualSteps = 200

/** How many tokens of a model without a price count as one dollar of a cap: $5 for a million. */
export const tokensPerDollar = 200_000

export interface Settings {
  theme: Theme
  defaultModel: string
  defaultMode: UsualMode
  defaultToolset: string
  defaultWorkspace: string
  maxIterations: number
  /** US dollars that a session, with its sub-agents, and a day may cost; 0 for no cap. */
  sessionCap: number
  dayCap: number
  /** The same in tokens, for models without a price; 0 for `tokensPerDollar` for each dollar of the cap. */
  sessionCapTokens: number
  dayCapTokens: number
  /** Windows and prices that the user knows better, by the id of the model. */
  modelCorrections: Record<string, ModelCorrection>
  maxResultBytes: number
  terminalFontSize: number
  notifications: boolean
  /** What closing the window does; it is asked once. */
  onClose: 'ask' | 'background' | 'quit'
  /** Opens the prompt box from anywhere: `Control+Alt+Space`; empty for no key. */
  promptShortcut: string
  /** Whether the agent is told what the user types into terminals that the user opened; of its own it always is. */
  noteOwnTyping: boolean
  /** Seconds until the first byte of a reply, and between two pieces of it. */
  firstByteSeconds: number
  idleSeconds: number
  compactAt: number
  /** Whether other machines may connect; nothing listens before the first one was added. */
  gatewayEnabled: boolean
  /** The address to listen on. Anything but loopback lets the network in. */
  gatewayHost: string
  /** 0: any free one, and the same again at the next start. */
  gatewayPort: number
  /** A PEM file with the user's own certificate; empty for one that is made here, where one is needed. */
  gatewayCertificate: string
  /** A PEM file with its key; empty if that is in the same file. */
  gatewayKey: string
  /** Name of this machine among the nodes; empty for its host name. */
  nodeName: string
  /** The execution host that models are told of as the primary one; empty for the first by name. */
  primaryNode: string
  /** What the user says about skills, by name: switched off, always there, or with other requirements. */
  skillEntries: Record<string, SkillEntry>
  /** Whether the web tools may fetch from this machine and its network. */
  webAllowLocal: boolean
  /** Address of a search service that answers in JSON; empty for DuckDuckGo. */
  webSearchEndpoint: string
  /** Empty: as the environment or else the system says. `none`: no proxy. Otherwise the address of one, without a password. */
  networkProxy: string
  /** The name for the proxy, whoever named that; its password is kept with the keys. */
  networkProxyUser: string
  /** A PEM file with further certificate authorities; empty for none. */
  certificateFile: string
  /** Hosts that commands in a sandbox may reach; `*.example.com` for all below one. */
  sandboxHosts: string[]
  /** Whether new sessions are named by their model, in one small request after the first turn. */
  modelTitles: boolean
  /** Keys that the user has changed, by shortcut: `Mod+Shift+K`. */
  keyBindings: Record<string, string>
  /** Font families for the window, and for code and terminals; empty for the usual ones. */
  interfaceFont: string
  codeFont: string
  /** The program that the user's own terminals run; empty for the login shell. */
  terminalShell: string
  /** What opens files: the id of an editor, `custom` for the command below, or nothing for the first that is found. */
  editor: string
  /** A program and its arguments, with {file}, {line} and {column}. */
  editorCommand: string
}
