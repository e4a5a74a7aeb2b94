import type { JobLimits } from '../../src-preload/contract/schedule'
import type { KeptJob } from './job-rows'
import type { Caller, Written } from './types'

/** What a job may do when the user has set nothing. */
export const usualLimits: JobLimits = { mode: null, workspace: null, answerMinutes: 8 * 60, maxCost: 0 }

/** Only the user can change what a job may do; values from an agent are ignored. */
export const limitsFrom = (wish: Written, caller: Caller, before: JobLimits): JobLimits => {
  if (caller.by !== 'user') return before
  const {
    mode = before.mode,
    workspace = before.workspace,
    answerMinutes = before.answerMinutes,
    maxCost = before.maxCost,
  } = wish as Partial<JobLimits>
  return { mode, workspace: workspace || null, answerMinutes: Math.round(answerMinutes), maxCost }
}

/** The user granted extra permissions for a specific spec. If an agent changes the spec, they are revoked. */
export const limitsAfter = (before: KeptJob, patch: Written, caller: Caller): JobLimits =>
  caller.by === 'agent' && patch.spec !== undefined
    ? { ...before.limits, mode: null }
    : limitsFrom(patch, caller, before.limits)
