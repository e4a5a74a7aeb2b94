import { z } from 'zod'
import type { NodeRole } from '../../src-preload/contract/nodes'

/** The tools that provide each capability. Skills require capabilities, never tools. */
export const capabilityTools: Readonly<Record<string, readonly string[]>> = {
  'filesystem.list': ['Glob', 'List'],
  'filesystem.read': ['Read'],
  'filesystem.write': ['Write', 'Delete', 'ApplyPatch'],
  'filesystem.edit': ['Edit', 'ApplyPatch'],
  'text.search': ['Grep'],
  'shell.exec': ['Bash', 'Process'],
}
export const capabilityIds: readonly string[] = Object.keys(capabilityTools)
const baseline = ['filesystem.list', 'filesystem.read', 'filesystem.write', 'shell.exec']

export const capabilitiesOfTool = (tool: string): string[] =>
  capabilityIds.filter((capability) => capabilityTools[capability]?.includes(tool))

/** Made when a node first connects. */
const shape = z.lazy(() =>
  z.object({
    hostRole: z.enum(['execution', 'specialized']),
    hostCapabilities: z.array(z.string().max(100)).min(1).max(100),
    toolCapabilities: z.record(z.string().max(100), z.array(z.string().max(100)).min(1)),
    hostOs: z.string().max(50).optional(),
    hostEnv: z.array(z.string().max(500)).max(5000).optional(),
    hostBinStatus: z.record(z.string().max(100), z.boolean()).optional(),
    hostBinStatusUpdatedAt: z.number().optional(),
    hostname: z.string().max(255).optional(),
    workspace: z.string().max(4096).optional(),
    home: z.string().max(4096).optional(),
    previews: z.boolean().optional(),
  }),
)

/** What a node reports about its machine. */
export interface NodeRuntime {
  role: NodeRole
  capabilities: string[]
  toolCapabilities: Record<string, string[]>
  os: 'linux' | 'darwin' | 'windows' | null
  envKeys: string[]
  bins: Record<string, boolean>
  binsCheckedAt: number | null
  hostname: string | null
  workspace: string | null
  home: string | null
  /** Whether the node can preview what a tool would change. */
  previews: boolean
}

/** Validates what a node reports; returns a string that describes the problem if it is invalid. */
export function readRuntime(value: unknown, tools: readonly string[]): NodeRuntime | string {
  const read = shape.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'cannot be read'}`
  }
  const runtime = read.data
  const host = new Set(runtime.hostCapabilities)
  const unknown = [...host].find((capability) => !capabilityIds.includes(capability))
  if (unknown !== undefined) return `unknown capability ${unknown}`
  const claimed = new Map(Object.entries(runtime.toolCapabilities))
  for (const tool of tools) {
    const capabilities = claimed.get(tool)
    if (!capabilities) return `toolCapabilities lacks ${tool}`
    const foreign = capabilities.find((capability) => !host.has(capability))
    if (foreign !== undefined) return `${tool} needs ${foreign}, which the host does not have`
  }
  const extra = [...claimed.keys()].find((tool) => !tools.includes(tool))
  if (extra !== undefined) return `toolCapabilities names ${extra}, which is not among the tools`
  const missing = runtime.hostRole === 'execution' ? baseline.find((capability) => !host.has(capability)) : undefined
  if (missing !== undefined) return `an execution host must have ${missing}`
  return {
    role: runtime.hostRole,
    capabilities: [...host].sort(),
    toolCapabilities: Object.fromEntries(claimed),
    os: osOf(runtime.hostOs),
    envKeys: runtime.hostEnv ?? [],
    bins: runtime.hostBinStatus ?? {},
    binsCheckedAt: runtime.hostBinStatusUpdatedAt ?? null,
    hostname: runtime.hostname ?? null,
    workspace: runtime.workspace ?? null,
    home: runtime.home ?? null,
    previews: runtime.previews ?? false,
  }
}

function osOf(text: string | undefined): NodeRuntime['os'] {
  const name = text?.trim().toLowerCase()
  if (name === 'macos') return 'darwin'
  if (name === 'win32') return 'windows'
  return name === 'linux' || name === 'darwin' || name === 'windows' ? name : null
}
