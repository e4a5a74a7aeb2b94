import { z } from 'zod'
import { call, read, textBy, unasked, webAddress } from './call'
import type { McpLogLoaded } from './events'
import { serverIdRule } from './field-rules'
import type { McpEvent, McpImport, McpResource } from './mcp'
import type { Attachment } from './messages'

export const mcpServerId = textBy(serverIdRule)

const existing = z.string().min(1).max(100)
const values = z.record(z.string().min(1).max(200), z.string().max(20_000))

export const mcpConfig = z.strictObject({
  command: z.string().max(4096).optional(),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  cwd: z.string().max(4096).optional(),
  url: z.union([z.literal(''), webAddress]).optional(),
  env: values.optional(),
  headers: values.optional(),
  secretEnv: z.array(z.string().min(1).max(200)).max(200).optional(),
  secretHeaders: z.array(z.string().min(1).max(200)).max(200).optional(),
  tellFolder: z.boolean().optional(),
  enabled: z.boolean().default(true),
})

const starts = 'Start an MCP server? Its command will be run.'

/** MCP servers: adding them, trying them, and what their tools may do. */
export const mcpCalls = {
  'mcp.list': read<McpEvent>()(() => z.strictObject({})),
  /** `secrets`: values for the names in `secretEnv` and `secretHeaders`; those left out keep the stored one. */
  'mcp.save': call<null>()(
    () =>
      z.strictObject({
        id: mcpServerId,
        previousId: existing.optional(),
        config: mcpConfig,
        secrets: values.optional(),
      }),
    starts,
  ),
  'mcp.remove': call<null>()(() => z.strictObject({ id: existing })),
  'mcp.enable': call<null>()(() => z.strictObject({ id: existing, enabled: z.boolean() }), starts),
  'mcp.restart': call<null>()(() => z.strictObject({ id: existing }), starts),
  /** Starts a server beside the others, looks at its tools, and ends it. */
  'mcp.test': call<{ ok: boolean; message: string; tools: string[] }>()(
    () => z.strictObject({ id: existing.optional(), config: mcpConfig, secrets: values.optional() }),
    starts,
  ),
  /** Opens the browser, and answers when the user has signed in there. */
  'mcp.signIn': call<null>()(() => z.strictObject({ id: existing }), 'Open the browser to sign in at an MCP server?'),
  'mcp.cancelSignIn': call<null>()(() => z.strictObject({ id: existing })),
  'mcp.signOut': call<null>()(() => z.strictObject({ id: existing })),
  'mcp.log': read<McpLogLoaded>()(() => z.strictObject({ id: existing })),
  /** What can be attached to a message of this session. */
  'mcp.resources': read<McpResource[]>()(() => z.strictObject({ sessionId: z.string().min(1).max(200) })),
  /** The content of one of them. The session counts as having read untrusted text from then on. */
  'mcp.readResource': call<Attachment[]>()(
    () => z.strictObject({ sessionId: z.string().min(1).max(200), server: existing, uri: z.string().min(1).max(4096) }),
    'Read a resource of an MCP server?',
  ),
  /** Reads a configuration as other programs have it; nothing is saved or started. */
  'mcp.import': read<McpImport>()(() => z.strictObject({ text: z.string().min(1).max(500_000) })),
  'mcp.setPolicy': call<null>()(
    () => z.strictObject({ id: existing, tool: z.string().min(1).max(1000), policy: z.enum(['ask', 'allow', 'deny']) }),
    'Change what a tool of an MCP server may do?',
  ),
  /** Folders that have named servers, as far as they were looked at or decided about. */
  'mcp.projects': read<McpEvent>()(() => z.strictObject({})),
  /** Looks at what the workspace of a session names. What is trusted is started. */
  'mcp.lookAtProject': unasked<null>('Done whenever a session opens; only what was trusted before is started.')(() =>
    z.strictObject({ sessionId: z.string().min(1).max(200) }),
  ),
  /** `hash`: of the content that the user has seen. */
  'mcp.decideProject': call<null>()(
    () =>
      z.strictObject({
        folder: z.string().min(1).max(4096),
        hash: z.string().max(100),
        verdict: z.enum(['trust', 'later', 'never', 'ask']),
      }),
    ({ verdict }) =>
      verdict === 'trust'
        ? 'Trust the MCP servers of this project? Their commands will be run.'
        : 'Decide about the MCP servers of this project?',
  ),
  /** The user has seen what changed about a tool. */
  'mcp.acceptChange': call<null>()(() => z.strictObject({ id: existing, tool: z.string().min(1).max(1000) })),
} as const
