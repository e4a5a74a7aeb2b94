import {
  answerMinutesRule,
  cronRule,
  intervalRule,
  jobCostRule,
  jobNameRule,
  jobTextRule,
  jobTimeRule,
  runMinutesRule,
} from '../../src-preload/contract/field-rules'
import type { CallInput } from '../../src-preload/contract/ipc'
import type { ScheduledJob } from '../../src-preload/contract/schedule'
import type { UsualMode } from '../../src-preload/contract/sessions'
import { fieldErrors, ifTyped } from '../page/field-errors'

export type When = 'at' | 'every' | 'cron'
export type Unit = 'minutes' | 'hours' | 'days'
export type Thinking = 'usual' | 'low' | 'medium' | 'high'

/** A job while it is edited: the contents of the fields. */
export interface JobDraft {
  id?: string
  agentId: string
  name: string
  when: When
  at: string
  every: string
  unit: Unit
  anchor: string
  expr: string
  tz: string
  removeAfter: boolean
  what: 'task' | 'systemEvent'
  text: string
  model: string
  thinking: Thinking
  timeoutMinutes: string
  deliver: boolean
  channel: string
  to: string
  mode: UsualMode | 'usual'
  workspace: string
  answerMinutes: string
  maxCost: string
}

export const newDraft = (tz: string, change: Partial<JobDraft> = {}): JobDraft => ({
  agentId: 'main',
  name: '',
  when: 'cron',
  at: '',
  every: '1',
  unit: 'hours',
  anchor: '',
  expr: '',
  tz,
  removeAfter: true,
  what: 'task',
  text: '',
  model: '',
  thinking: 'usual',
  timeoutMinutes: '',
  deliver: true,
  channel: 'app',
  to: '',
  mode: 'usual',
  workspace: '',
  answerMinutes: '',
  maxCost: '',
  ...change,
})

/** Two examples to start from. */
export const examples: readonly { label: string; draft: Partial<JobDraft> }[] = [
  {
    label: 'Every weekday at 9: what changed?',
    draft: {
      name: 'Morning summary',
      when: 'cron',
      expr: '0 9 * * 1-5',
      text: 'Summarise in five lines what changed in the workspace since yesterday, and name what looks unfinished.',
    },
  },
  {
    label: 'In 20 minutes: reminder',
    draft: { name: 'Stretch', when: 'at', at: 'in 20 minutes', text: 'Remind me to get up and stretch.' },
  },
]

const units: readonly [Unit, number][] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
]

export function draftFromJob(job: ScheduledJob, tz: string): JobDraft {
  const { schedule, spec } = job
  const when: Partial<JobDraft> =
    schedule.kind === 'at'
      ? { when: 'at', at: localTime(schedule.atMs) }
      : schedule.kind === 'cron'
        ? { when: 'cron', expr: schedule.expr, tz: schedule.tz }
        : {
            when: 'every',
            ...largestUnit(schedule.everyMs),
            anchor: schedule.anchorMs === undefined ? '' : localTime(schedule.anchorMs),
          }
  const what: Partial<JobDraft> =
    spec.mode === 'systemEvent'
      ? { what: 'systemEvent', text: spec.text }
      : {
          what: 'task',
          text: spec.message,
          deliver: spec.deliver !== false,
          channel: spec.channel ?? 'app',
          to: spec.to ?? '',
          model: spec.model ?? '',
          thinking: isThinking(spec.thinking) ? spec.thinking : 'usual',
          timeoutMinutes: spec.timeoutSeconds === undefined ? '' : trimmed(spec.timeoutSeconds / 60),
        }
  return newDraft(tz, {
    id: job.id,
    agentId: job.agentId,
    name: job.name,
    removeAfter: job.deleteAfterRun ?? false,
    mode: job.mode ?? 'usual',
    workspace: job.workspace ?? '',
    answerMinutes: trimmed(job.answerMinutes),
    maxCost: job.maxCost > 0 ? String(job.maxCost) : '',
    ...when,
    ...what,
  })
}

const isThinking = (value: string | undefined): value is 'low' | 'medium' | 'high' =>
  value === 'low' || value === 'medium' || value === 'high'

const trimmed = (value: number) => String(Math.round(value * 100) / 100)

function largestUnit(ms: number): Pick<JobDraft, 'every' | 'unit'> {
  const [unit, size] = units.find(([, length]) => ms % length === 0) ?? ['minutes', 60_000]
  return { unit, every: trimmed(ms / size) }
}

/** As it is typed: `2026-11-17 09:00`, in this machine's time zone. */
function localTime(ms: number): string {
  const at = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** What is wrong with a draft before the engine sees it, as a message for each field. */
export const draftErrors = (draft: JobDraft) =>
  fieldErrors({
    name: [draft.name.trim(), jobNameRule],
    at: draft.when === 'at' && [draft.at.trim(), jobTimeRule],
    every: draft.when === 'every' && [draft.every, intervalRule],
    expr: draft.when === 'cron' && [draft.expr.trim(), cronRule],
    text: [draft.text.trim(), jobTextRule],
    timeoutMinutes: ifTyped(draft.timeoutMinutes, runMinutesRule),
    answerMinutes: ifTyped(draft.answerMinutes, answerMinutesRule),
    maxCost: ifTyped(draft.maxCost, { ...jobCostRule, above: true }),
  })

type ScheduleWish = CallInput<'schedule.preview'>['schedule']

/** The schedule as main expects it; null while a field is missing. */
export function toSchedule(draft: JobDraft): ScheduleWish | null {
  if (draft.when === 'at') return draft.at.trim() ? { kind: 'at', at: draft.at.trim() } : null
  if (draft.when === 'cron')
    return draft.expr.trim() ? { kind: 'cron', expr: draft.expr.trim(), ...(draft.tz ? { tz: draft.tz } : {}) } : null
  const every = Number(draft.every)
  if (!(every > 0)) return null
  const length =
    draft.unit === 'minutes'
      ? { everyMinutes: every }
      : draft.unit === 'hours'
        ? { everyHours: every }
        : { everyDays: every }
  return { kind: 'every', ...length, ...(draft.anchor.trim() ? { anchor: draft.anchor.trim() } : {}) }
}

function toSpec(draft: JobDraft): CallInput<'schedule.add'>['spec'] {
  const text = draft.text.trim()
  if (draft.what === 'systemEvent') return { mode: 'systemEvent', text }
  const minutes = Number(draft.timeoutMinutes)
  const to = draft.to.trim()
  return {
    mode: 'task',
    message: text,
    deliver: draft.deliver,
    ...(draft.deliver ? { channel: draft.channel } : {}),
    ...(draft.deliver && to && draft.channel !== 'app' ? { to } : {}),
    ...(draft.model ? { model: draft.model } : {}),
    ...(draft.thinking === 'usual' ? {} : { thinking: draft.thinking }),
    ...(minutes > 0 ? { timeoutSeconds: minutes * 60 } : {}),
  }
}

const shared = (draft: JobDraft) => ({
  name: draft.name.trim(),
  deleteAfterRun: draft.when === 'at' && draft.removeAfter,
  spec: toSpec(draft),
  mode: draft.mode === 'usual' ? null : draft.mode,
  workspace: draft.workspace.trim() || null,
  ...(draft.answerMinutes.trim() ? { answerMinutes: Number(draft.answerMinutes) } : {}),
  maxCost: Number(draft.maxCost) || 0,
})

export function toAdd(draft: JobDraft, schedule: ScheduleWish): CallInput<'schedule.add'> {
  return { ...shared(draft), agentId: draft.agentId, schedule }
}

/** Leaves out the schedule if it was not changed: sending "in 20 minutes" again would mean another time. */
export function toUpdate(draft: JobDraft, start: JobDraft, id: string): CallInput<'schedule.update'> {
  const schedule = toSchedule(draft)
  const touched = JSON.stringify(schedule) !== JSON.stringify(toSchedule(start))
  return { id, ...shared(draft), ...(touched && schedule ? { schedule } : {}) }
}
