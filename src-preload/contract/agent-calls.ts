import { z } from 'zod'
import type { AgentFile, AgentFileContent, AgentInfo } from './agents'
import { call, none } from './call'
import type { Session } from './sessions'

export const agentId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Lower case letters and digits, with dashes or underscores between them')
const path = z.string().min(1).max(500)

/** Agents: who they are, and the files that tell them so. */
export const agentCalls = {
  'agent.list': call<AgentInfo[]>()(none),
  'agent.create': call<AgentInfo>()(z.strictObject({ id: agentId, name: z.string().trim().max(200).optional() })),
  /** Its files are kept aside in the data folder, its sessions stay. `main` cannot be removed. */
  'agent.remove': call<AgentInfo[]>()(z.strictObject({ id: agentId })),
  'agent.files': call<AgentFile[]>()(z.strictObject({ id: agentId })),
  'agent.read': call<AgentFileContent>()(z.strictObject({ id: agentId, path })),
  'agent.write': call<AgentFile>()(z.strictObject({ id: agentId, path, content: z.string().max(1_000_000) })),
  'agent.deleteFile': call<null>()(z.strictObject({ id: agentId, path })),
  /** What a model is told about this agent before anything else. */
  'agent.prompt': call<string>()(z.strictObject({ id: agentId })),
  /** Its main session, made if there is none yet. */
  'agent.openSession': call<Session>()(z.strictObject({ id: agentId })),
} as const
