import type { Access, PathAccess } from '../../approval/types'
import { commandIn, folderIn, hostIn, pathsIn } from './raw-input'
import type { ToolFields } from './tool-call'

const longestShown = 50_000

/**
 * What a call of an agent would do, as the gate sees it: by what it will really run and touch, never by what the agent
 * calls it.
 */
export function accessOf(fields: ToolFields, agent: string, workspace: string, caged: boolean): Access {
  const { kind, rawInput, locations, content } = fields
  const base = { node: 'local', workspace, cwd: workspace }
  const command = commandIn(rawInput, kind)
  if (command !== null)
    return {
      ...base,
      action: 'exec',
      cwd: folderIn(rawInput, workspace),
      command,
      shell: 'login',
      ...(caged && { sandboxed: true }),
    }
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part] : []))
  const paths = pathsIn(rawInput, locations ?? [], diffs, workspace)
  const access = pathAccess(kind, diffs.length > 0)
  if (access !== null && paths.length > 0)
    return {
      ...base,
      action: access === 'read' ? 'read' : 'write',
      paths: paths.map((path) => ({ path, access })),
    }
  const host = hostIn(rawInput)
  if (host !== null) return { ...base, action: 'network', hosts: [host] }
  if (kind === 'think') return { ...base, action: 'read' }
  return {
    ...base,
    action: 'exec',
    toolKey: toolKey(agent, fields),
    shown: shownOf(fields),
    // Its name is all that is known of the command: no rule may speak for it.
    ...(kind === 'execute' && { flagged: 'The agent does not say exactly what it will run' }),
  }
}

function pathAccess(kind: string | null | undefined, changes: boolean): PathAccess['access'] | null {
  if (changes || kind === 'edit' || kind === 'move') return 'write'
  if (kind === 'delete') return 'delete'
  return kind === 'read' || kind === 'search' ? 'read' : null
}

/** The same for every call of one tool of one agent, so that a rule can speak of it. */
const toolKey = (agent: string, { name, kind }: ToolFields): string =>
  `hosted.${agent.replace(/[^\w-]+/g, '-').slice(0, 60)}.${(name ?? kind ?? 'tool').replace(/[^\w-]+/g, '-').slice(0, 60)}`

function shownOf({ title, rawInput }: ToolFields): string {
  const input = rawInput === undefined ? '' : (JSON.stringify(rawInput, null, 2) ?? '')
  return [title ?? '', input].filter(Boolean).join('\n').slice(0, longestShown)
}
