import { z } from 'zod'
import type { AgentFile, AgentFileContent, AgentsEvent } from './agents'
import { call, none, read } from './call'

export const agentId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Lower case letters and digits, with dashes or underscores between them')
const path = z.string().min(1).max(500)

/** Agents: who they are, and the files that tell them so. */
export const agentCalls = {
  'agent.list': read<AgentsEvent>()(none),
  'agent.create': call<null>()(() => z.strictObject({ id: agentId, name: z.string().trim().max(200).optional() })),
  /** Its files are kept aside in the data folder, its sessions stay. `main` cannot be removed. */
  'agent.remove': call<null>()(() => z.strictObject({ id: agentId }), 'Remove an agent?'),
  'agent.files': read<AgentFile[]>()(() => z.strictObject({ id: agentId })),
  'agent.read': read<AgentFileContent>()(() => z.strictObject({ id: agentId, path })),
  'agent.write': call<null>()(
    () => z.strictObject({ id: agentId, path, content: z.string().max(1_000_000) }),
    'Change what an agent is told?',
  ),
  'agent.deleteFile': call<null>()(() => z.strictObject({ id: agentId, path }), 'Delete a file of an agent?'),
  /** What a model is told about this agent before anything else. */
  'agent.prompt': read<string>()(() => z.strictObject({ id: agentId })),
  /** Answers with the id of its main session, which is made if there is none yet. */
  'agent.openSession': call<string>()(() => z.strictObject({ id: agentId })),
} as const
