import { z } from 'zod'
import { agentId } from './agent-calls'
import { call, none, numberBy, read, textBy } from './call'
import { approvalMode } from './core-calls'
import type { RunsLoaded } from './events'
import {
  answerMinutesRule,
  cronRule,
  intervalRule,
  jobCostRule,
  jobNameRule,
  jobTextRule,
  jobTimeRule,
  runMinutesRule,
} from './field-rules'
import type { ScheduleEvent } from './schedule'

const id = z.string().min(1).max(100)
const trimmed = z.string().trim()
const name = textBy(jobNameRule, trimmed)
const text = textBy(jobTextRule, trimmed)
const interval = numberBy(intervalRule).optional()

/** As people say it: the engine turns it into times, and refuses in words what it cannot read. */
const scheduleWish = z.union([
  z.strictObject({ kind: z.literal('at'), at: textBy(jobTimeRule, trimmed) }),
  z.strictObject({
    kind: z.literal('every'),
    everyMinutes: interval,
    everyHours: interval,
    everyDays: interval,
    everyMs: interval,
    anchor: z.string().max(200).optional(),
    anchorMs: z.number().optional(),
  }),
  z.strictObject({ kind: z.literal('cron'), expr: textBy(cronRule, trimmed), tz: z.string().max(100).optional() }),
])

const specWish = z.union([
  z.strictObject({ mode: z.literal('systemEvent'), text }),
  z.strictObject({
    mode: z.literal('task'),
    message: text,
    deliver: z.boolean().optional(),
    channel: z.string().max(64).optional(),
    to: z.string().max(500).optional(),
    model: z.string().max(400).optional(),
    thinking: z.enum(['low', 'medium', 'high']).optional(),
    timeoutSeconds: numberBy({ ...runMinutesRule, most: runMinutesRule.most * 60 }).optional(),
    bestEffortDeliver: z.boolean().optional(),
  }),
])

const limits = {
  mode: approvalMode.nullable().optional(),
  workspace: z.string().max(4096).nullable().optional(),
  answerMinutes: numberBy(answerMinutesRule).optional(),
  maxCost: numberBy(jobCostRule).optional(),
}

const schedules = ({ mode }: { mode?: string | null | undefined }): string =>
  mode === 'all' ? 'Let a scheduled job do everything, without being asked?' : 'Schedule what the window asks for?'

/** Jobs that run by the clock. */
export const scheduleCalls = {
  'schedule.list': read<ScheduleEvent>()(none),
  'schedule.add': call<null>()(
    () =>
      z.strictObject({
        name,
        description: z.string().max(2000).optional(),
        agentId: agentId.optional(),
        enabled: z.boolean().optional(),
        deleteAfterRun: z.boolean().optional(),
        schedule: scheduleWish,
        spec: specWish,
        ...limits,
      }),
    schedules,
  ),
  'schedule.update': call<null>()(
    () =>
      z.strictObject({
        id,
        name: name.optional(),
        description: z.string().max(2000).optional(),
        enabled: z.boolean().optional(),
        deleteAfterRun: z.boolean().optional(),
        schedule: scheduleWish.optional(),
        spec: specWish.optional(),
        ...limits,
      }),
    schedules,
  ),
  /** Its history stays until it is out of date. */
  'schedule.remove': call<null>()(() => z.strictObject({ id }), 'Remove a scheduled job?'),
  /** Runs it now, whether it is due or not; answers once it has begun. */
  'schedule.run': call<null>()(() => z.strictObject({ id }), 'Run a scheduled job now?'),
  /** Ends the run that is going on. */
  'schedule.stop': call<null>()(() => z.strictObject({ id })),
  /** Of a job, newest first. */
  'schedule.runs': read<RunsLoaded>()(() =>
    z.strictObject({
      jobId: id,
      limit: z.int().min(1).max(500).optional(),
      offset: z.int().min(0).optional(),
    }),
  ),
  /** Pauses or resumes one job, or the clock as a whole. */
  'schedule.pause': call<null>()(() => z.strictObject({ id: id.optional(), paused: z.boolean() })),
  /** What the engine makes of a schedule, before it is saved: in words, with the next few times. */
  'schedule.preview': read<{ ok: boolean; human: string; next: number[]; problem: string | null }>()(() =>
    z.strictObject({ schedule: scheduleWish }),
  ),
} as const
