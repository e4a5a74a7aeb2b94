import { type HookEvent, type HookInfo, hookEvents } from '../../src-preload/contract/hooks'
import { isRecord } from '../is-record'

const usualSeconds = 60
const mostSeconds = 600
const mostHooks = 100

/** Reads hooks in Claude's form: by event, lists of a matcher with its commands. */
export function readHooks(value: unknown): { hooks: HookInfo[]; warnings: string[] } {
  const hooks: HookInfo[] = []
  const warnings: string[] = []
  if (value === undefined || value === null) return { hooks, warnings }
  if (!isRecord(value)) return { hooks, warnings: ['hooks is not an object'] }
  for (const [event, groups] of Object.entries(value)) {
    if (!isHookEvent(event)) {
      warnings.push(`${event}: there is no such event here, so its hooks are left out`)
      continue
    }
    for (const group of Array.isArray(groups) ? groups : [groups]) {
      const entries = isRecord(group) && Array.isArray(group.hooks) ? group.hooks : null
      if (!entries) {
        warnings.push(`${event}: a group without a list of hooks is left out`)
        continue
      }
      const matcher = isRecord(group) && typeof group.matcher === 'string' ? group.matcher : ''
      if (!isPattern(matcher)) {
        warnings.push(`${event}: the matcher ${JSON.stringify(matcher)} is not a pattern, so its hooks are left out`)
        continue
      }
      for (const entry of entries) {
        if (!isRecord(entry) || entry.type !== 'command' || typeof entry.command !== 'string' || !entry.command.trim())
          warnings.push(`${event}: only hooks of the type command are run`)
        else hooks.push({ event, matcher, command: entry.command, timeout: secondsOf(entry.timeout) })
      }
    }
  }
  if (hooks.length > mostHooks) warnings.push(`Only the first ${mostHooks} hooks are used`)
  return { hooks: hooks.slice(0, mostHooks), warnings }
}

const isHookEvent = (name: string): name is HookEvent => hookEvents.some((event) => event === name)

const secondsOf = (given: unknown): number =>
  typeof given === 'number' && given > 0 ? Math.min(given, mostSeconds) : usualSeconds

function isPattern(text: string): boolean {
  if (text === '' || text === '*') return true
  try {
    new RegExp(text)
    return text.length <= 500
  } catch {
    return false
  }
}

/** Whether a hook is for this tool: the whole name has to fit. */
export const matches = ({ matcher }: HookInfo, name: string): boolean =>
  matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(name)
