import { z } from 'zod'
import { agentId } from './agent-calls'
import { call } from './call'
import type { SkillInfo } from './skills'

const location = z.string().regex(/^skills\/.{1,480}$/)

/** Skills: what there is, and why it can be used or not. */
export const skillCalls = {
  /** Looks at the files and, where a skill needs programs, at the machines; `fresh` looks for programs anew. */
  'skill.list': call<SkillInfo[]>()(z.strictObject({ agentId, fresh: z.boolean().optional() })),
  'skill.read': call<string>()(z.strictObject({ agentId, location })),
  /** Writes the shared one, or the agent's own. */
  'skill.write': call<null>()(
    z.strictObject({ agentId, location, source: z.enum(['agent', 'global']), content: z.string().max(1_000_000) }),
  ),
  'skill.setEnabled': call<SkillInfo[]>()(
    z.strictObject({ agentId, name: z.string().min(1).max(200), enabled: z.boolean() }),
  ),
  'skill.remove': call<null>()(z.strictObject({ agentId, location, source: z.enum(['agent', 'global']) })),
  /** Opens the folder that holds the shared skills, or the agent's own. */
  'skill.reveal': call<null>()(z.strictObject({ agentId, source: z.enum(['agent', 'global']) })),
} as const
