import { givenFields } from '../given-fields'
import { number, object } from './read-job'
import { type Caller, type Schedule, ScheduleError, type Written } from './types'

const actions = ['status', 'list', 'add', 'update', 'remove', 'run', 'runs'] as const

/** `gsv__Cron`: one tool whose `action` says which of seven it is. */
export const executeCron = async (schedule: Schedule, input: Written, caller: Caller): Promise<unknown> => {
  const { action } = input
  switch (action) {
    case 'status':
      return schedule.status(givenFields({ agentId: agentFilter(input) }))
    case 'list':
      return schedule.list(
        givenFields({ agentId: agentFilter(input), includeDisabled: flag(input, 'includeDisabled'), ...page(input) }),
      )
    case 'add': {
      if (input.job === undefined || input.job === null) throw new ScheduleError('job is required for action "add".')
      const job = object(input.job, 'job')
      return schedule.add({ ...job, agentId: job.agentId ?? input.agentId ?? undefined }, caller)
    }
    case 'update': {
      const id = required(input, action)
      if (input.patch === undefined || input.patch === null) {
        throw new ScheduleError('patch is required for action "update".')
      }
      return schedule.update(id, object(input.patch, 'patch'), caller)
    }
    case 'remove':
      return schedule.remove(required(input, action))
    case 'run': {
      const mode = input.mode ?? 'due'
      if (mode !== 'due' && mode !== 'force') throw new ScheduleError('mode is "due" or "force".')
      return schedule.run(mode === 'force' ? { mode, id: required(input, 'run with mode "force"') } : { mode })
    }
    case 'runs':
      return schedule.runs(givenFields({ jobId: text(input, 'jobId'), ...page(input) }))
    case undefined:
    case null:
      throw new ScheduleError(`action is required: one of ${actions.join(', ')}.`)
    default:
      throw new ScheduleError(`Unknown cron action: ${typeof action === 'string' ? action : JSON.stringify(action)}`)
  }
}

const agentFilter = (input: Written): string | undefined => text(input, 'agentId')?.trim().toLowerCase()

const page = (input: Written) => ({ limit: whole(input, 'limit', 1), offset: whole(input, 'offset', 0) })

const whole = (input: Written, name: string, least: number): number | undefined => {
  const value = number(input, name)
  return value === undefined ? undefined : Math.max(least, Math.floor(value))
}

const text = (input: Written, name: string): string | undefined => {
  const value = input[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new ScheduleError(`${name} must be a string.`)
}

const flag = (input: Written, name: string): boolean | undefined => {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw new ScheduleError(`${name} must be true or false.`)
}

const required = (input: Written, action: string): string => {
  const id = text(input, 'id')
  if (id === undefined)
    throw new ScheduleError(`id is required for action ${action.startsWith('run') ? action : `"${action}"`}.`)
  return id
}
