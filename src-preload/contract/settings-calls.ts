import { z } from 'zod'
import { call, id, none, read, textBy, unasked, webAddress } from './call'
import { approvalMode } from './core-calls'
import { keyCommandRule, providerNameRule, variableRule } from './field-rules'
import { nodeId } from './node-calls'

const words = z.array(z.string().min(1).max(200)).max(100)
export const hostPattern = z
  .string()
  .trim()
  .regex(/^(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/, 'is not the name of a host')
  .max(253)
const fontName = z
  .string()
  .trim()
  .max(100)
  .regex(/^[\p{L}\p{N} ._-]*$/u, 'is not the name of a font')
const skillEntry = z.strictObject({
  enabled: z.boolean().optional(),
  always: z.boolean().optional(),
  requires: z
    .strictObject({
      hostRoles: words,
      capabilities: words,
      anyCapabilities: words,
      os: words,
      env: words,
      bins: words,
      anyBins: words,
      config: words,
    })
    .partial()
    .optional(),
})

const proxyAddress = z
  .string()
  .max(500)
  .regex(/^(?:https?|socks5):\/\/[^\s/@:]+(?::\d{1,5})?\/?$/, 'is not an address such as http://proxy.example:3128')

const dollars = z.number().min(0).max(1_000_000)
const tokenCount = z.int().min(0).max(1_000_000_000_000)
const modelCorrection = z.strictObject({
  contextWindow: z.int().min(1000).max(100_000_000).optional(),
  price: z
    .strictObject({ input: dollars, output: dollars, cached: dollars.optional(), cacheWrite: dollars.optional() })
    .optional(),
})

export const settingsPatch = z
  .strictObject({
    theme: z.enum(['system', 'light', 'dark']),
    defaultModel: z.string().max(400),
    defaultMode: approvalMode,
    defaultToolset: z.string().max(100),
    defaultWorkspace: z.string().max(4096),
    maxIterations: z.int().min(1).max(1000),
    sessionCap: dollars,
    sessionCapTokens: tokenCount,
    dayCap: dollars,
    dayCapTokens: tokenCount,
    modelCorrections: z.record(z.string().max(400), modelCorrection),
    maxResultBytes: z.int().min(1024).max(10_000_000),
    terminalFontSize: z.number().min(8).max(32),
    notifications: z.boolean(),
    onClose: z.enum(['ask', 'background', 'quit']),
    promptShortcut: z
      .string()
      .regex(/^(?:(?:(?:Control|Alt|Shift|Super|Command)\+){1,4}(?:[A-Z0-9]|Space|F\d{1,2}))?$/, 'is not a key'),
    noteOwnTyping: z.boolean(),
    firstByteSeconds: z.number().min(1).max(3600),
    idleSeconds: z.number().min(1).max(3600),
    compactAt: z.number().min(0.3).max(0.98),
    gatewayEnabled: z.boolean(),
    gatewayHost: z.string().trim().min(1).max(253),
    gatewayPort: z.int().min(0).max(65535),
    gatewayCertificate: z.string().trim().max(4096),
    gatewayKey: z.string().trim().max(4096),
    nodeName: z.union([z.literal(''), nodeId]),
    primaryNode: z.string().max(64),
    skillEntries: z.record(z.string().max(500), skillEntry),
    webAllowLocal: z.boolean(),
    webSearchEndpoint: z.union([z.literal(''), webAddress]),
    networkProxy: z.union([z.literal(''), z.literal('none'), proxyAddress]),
    networkProxyUser: z.string().max(200),
    certificateFile: z.string().max(4096),
    sandboxHosts: z.array(hostPattern).max(200),
    modelTitles: z.boolean(),
    keyBindings: z.record(z.string().max(40), z.string().min(1).max(40)),
    interfaceFont: fontName,
    codeFont: fontName,
    terminalShell: z.string().max(4096),
    editor: z.string().max(50),
    editorCommand: z.string().max(4096),
  })
  .partial()

const looks: ReadonlySet<string> = new Set(['theme', 'terminalFontSize'])

const providerKind = z.enum(['openai', 'anthropic'])

const keySource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('environment'),
    name: textBy(variableRule),
  }),
  z.strictObject({ kind: z.literal('command'), command: textBy(keyCommandRule, z.string().trim()) }),
])

/** Settings, and the models with their keys. */
export const settingsCalls = {
  'settings.update': call<null>()(settingsPatch, (patch) => {
    if (patch.defaultMode === 'all') return 'Allow everything in new sessions, without being asked?'
    if (patch.networkProxy !== undefined || patch.certificateFile !== undefined)
      return 'Change how Deckhand reaches the network, and whom it trusts there?'
    if (patch.editor !== undefined || patch.editorCommand !== undefined) return 'Change the program that opens files?'
    if (patch.terminalShell !== undefined) return 'Change the program that your terminals run?'
    if (patch.sandboxHosts !== undefined) return 'Change what commands in a sandbox can reach?'
    // How things look is nobody's secret and lets nothing happen.
    return Object.keys(patch).every((key) => looks.has(key)) ? null : 'Change the settings?'
  }),
  'provider.save': call<null>()(
    () =>
      z.strictObject({
        id: id.optional(),
        name: textBy(providerNameRule, z.string().trim()),
        kind: providerKind,
        baseUrl: webAddress,
        /** Absent: keep the stored one. Empty: forget it. */
        key: z.string().max(10_000).optional(),
        /** Read the key from there from now on. Null: no longer. Absent: as before. */
        keySource: keySource.nullable().optional(),
      }),
    ({ keySource: source }) =>
      source?.kind === 'command'
        ? `Save a model provider, and run this command for its key? ${source.command.slice(0, 200)}`
        : 'Save a model provider and its key?',
  ),
  'provider.remove': call<null>()(() => z.strictObject({ id }), 'Remove a model provider and its key?'),
  'provider.refresh': call<null>()(() => z.strictObject({ id })),
  /** Looks for model servers on this machine again; what it finds comes as an event. */
  'provider.detect': unasked<null>('It looks at the usual ports of this very machine.')(none),
  'provider.test': call<{ ok: boolean; message: string; models: number }>()(
    () =>
      z.strictObject({
        kind: providerKind,
        baseUrl: z.string().max(2000),
        key: z.string().max(10_000).optional(),
        keySource: keySource.nullable().optional(),
        id: id.optional(),
      }),
    ({ keySource: source }) =>
      source?.kind === 'command'
        ? `Test a model provider, and run this command for its key? ${source.command.slice(0, 200)}`
        : 'Test a model provider? Its key is sent there.',
  ),
  /** Opens the browser to sign in at OpenRouter; answers when the key is stored. False: the user gave up. */
  'provider.signIn': call<boolean>()(
    () => z.strictObject({ service: z.literal('openrouter') }),
    'Open the browser to sign in at OpenRouter?',
  ),
  'provider.cancelSignIn': call<null>()(none),

  /** The password for the proxy; empty forgets it. It is kept with the keys. */
  'network.setPassword': call<null>()(
    () => z.strictObject({ password: z.string().max(1000) }),
    'Change the password for the proxy?',
  ),
  /** How a request would go out now, in words; no password is in it. */
  'network.status': read<NetworkStatus>()(none),
  /** Tries to reach an address, and says whether the proxy or a certificate is in the way. */
  'network.test': call<{ ok: boolean; message: string }>()(
    () => z.strictObject({ url: webAddress }),
    'Try to reach an address?',
  ),
} as const

interface NetworkStatus {
  /** `proxy.corp:3128, from HTTPS_PROXY`; empty for a direct connection. */
  proxy: string
  hasPassword: boolean
  /** Why nothing can go out: what names the proxy cannot be used. */
  trouble?: string
}
