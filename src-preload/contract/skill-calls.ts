import { z } from 'zod'
import { agentId } from './agent-calls'
import { call, read } from './call'
import type { SkillInfo } from './skills'

const location = z.string().regex(/^skills\/.{1,480}$/)

/** Of the session that is shown. */
const workspace = z.string().min(1).max(4096).optional()

/** Skills: what there is, and why it can be used or not. */
export const skillCalls = {
  /** Looks at the files and, where a skill needs programs, at the machines; `fresh` looks for programs anew. */
  'skill.list': read<SkillInfo[]>()(() => z.strictObject({ agentId, fresh: z.boolean().optional(), workspace })),
  'skill.read': read<string>()(() => z.strictObject({ agentId, location: z.string().min(1).max(500), workspace })),
  /** Writes the shared one, or the agent's own. */
  'skill.write': call<null>()(
    () =>
      z.strictObject({ agentId, location, source: z.enum(['agent', 'global']), content: z.string().max(1_000_000) }),
    'Write a skill? Agents follow it.',
  ),
  'skill.setEnabled': call<null>()(() => z.strictObject({ name: z.string().min(1).max(200), enabled: z.boolean() })),
  'skill.remove': call<null>()(
    () => z.strictObject({ agentId, location, source: z.enum(['agent', 'global']) }),
    'Delete a skill from the disk?',
  ),
  /** Opens the folder that holds the shared skills, or the agent's own. */
  'skill.reveal': call<null>()(() => z.strictObject({ agentId, source: z.enum(['agent', 'global']) })),
} as const
