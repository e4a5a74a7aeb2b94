import { z } from 'zod'
import type { Schedule, Written } from '../../schedule/types'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'

const actions = ['status', 'list', 'add', 'update', 'remove', 'run', 'runs'] as const
const looks = new Set<string>(['status', 'list', 'runs'])

const job = z
  .looseObject({
    name: z.string().optional(),
    schedule: z
      .looseObject({ kind: z.string().optional() })
      .optional()
      .describe(
        '{kind:"at",at|in} such as "2026-11-16T09:00", "in 2 hours", "tomorrow at 9am"; {kind:"every",everyMinutes|everyHours|everyDays,anchor?}; {kind:"cron",expr,tz?}',
      ),
    spec: z
      .looseObject({ mode: z.string().optional() })
      .optional()
      .describe(
        '{mode:"systemEvent",text} into the main session; {mode:"task",message,deliver?,channel?,to?,model?,thinking?,timeoutSeconds?,bestEffortDeliver?} in a clean one',
      ),
    agentId: z.string().optional(),
    description: z.string().optional(),
    enabled: z.boolean().optional(),
    deleteAfterRun: z.boolean().optional().describe('After a successful one-shot run'),
  })
  .optional()

const shape = inputShape(() =>
  z.object({
    action: z.enum(actions),
    id: z.string().optional().describe('For update, remove, and run with mode force'),
    mode: z.enum(['due', 'force']).optional().describe('For run'),
    agentId: z.string().optional(),
    includeDisabled: z.boolean().optional(),
    limit: z.number().optional(),
    offset: z.number().optional(),
    job: job.describe('For add: name, schedule and spec are required'),
    patch: job.describe('For update: what changes'),
    jobId: z.string().optional().describe('For runs'),
  }),
)

interface CronDeps {
  schedule?: Schedule | null
  agentOf(sessionId: string): string
}

/** Scheduled jobs. */
export function createCronTool({ schedule, agentOf }: CronDeps): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description: 'Manage jobs that run by the clock: status, list, add, update, remove, run, runs (history).',
    ...shape,
    readOnly: false,
    access: ({ action }, { workspace }) => ({
      action: looks.has(action) ? 'read' : 'configure',
      node: 'gsv',
      cwd: workspace,
      workspace,
      toolKey: looks.has(action) ? 'schedule.read' : `schedule.${action}`,
    }),
    gist: ({ action, id, jobId, job: made }) => [action, made?.name ?? id ?? jobId].filter(Boolean).join(' '),
    execute: (input, { sessionId }) =>
      present(schedule).execute(input as Written, { by: 'agent', agentId: agentOf(sessionId), sessionId }),
  }
}
