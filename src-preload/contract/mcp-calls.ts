import { z } from 'zod'
import { call } from './call'
import type { McpImport, McpLogLine, McpServerInfo } from './mcp'

/** Never `__`, which separates a server from a tool. */
export const mcpServerId = z
  .string()
  .max(32)
  .regex(/^[A-Za-z0-9](?:[_-]?[A-Za-z0-9])*$/, 'Letters and digits, with single dashes or underscores between them')

const existing = z.string().min(1).max(100)
const values = z.record(z.string().min(1).max(200), z.string().max(20_000))

export const mcpConfig = z.strictObject({
  command: z.string().max(4096).optional(),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  cwd: z.string().max(4096).optional(),
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).optional(),
  env: values.optional(),
  headers: values.optional(),
  secretEnv: z.array(z.string().min(1).max(200)).max(200).optional(),
  secretHeaders: z.array(z.string().min(1).max(200)).max(200).optional(),
  enabled: z.boolean().default(true),
})

/** MCP servers: adding them, trying them, and what their tools may do. */
export const mcpCalls = {
  'mcp.list': call<McpServerInfo[]>()(z.strictObject({})),
  /** `secrets`: values for the names in `secretEnv` and `secretHeaders`; those left out keep the stored one. */
  'mcp.save': call<McpServerInfo[]>()(
    z.strictObject({ id: mcpServerId, previousId: existing.optional(), config: mcpConfig, secrets: values.optional() }),
  ),
  'mcp.remove': call<McpServerInfo[]>()(z.strictObject({ id: existing })),
  'mcp.enable': call<McpServerInfo[]>()(z.strictObject({ id: existing, enabled: z.boolean() })),
  'mcp.restart': call<null>()(z.strictObject({ id: existing })),
  /** Starts a server beside the others, looks at its tools, and ends it. */
  'mcp.test': call<{ ok: boolean; message: string; tools: string[] }>()(
    z.strictObject({ id: existing.optional(), config: mcpConfig, secrets: values.optional() }),
  ),
  'mcp.log': call<McpLogLine[]>()(z.strictObject({ id: existing })),
  /** Reads a configuration as other programs have it; nothing is saved or started. */
  'mcp.import': call<McpImport>()(z.strictObject({ text: z.string().min(1).max(500_000) })),
  'mcp.setPolicy': call<McpServerInfo[]>()(
    z.strictObject({ id: existing, tool: z.string().min(1).max(1000), policy: z.enum(['ask', 'allow', 'deny']) }),
  ),
  /** The user has seen what changed about a tool. */
  'mcp.acceptChange': call<McpServerInfo[]>()(z.strictObject({ id: existing, tool: z.string().min(1).max(1000) })),
} as const
