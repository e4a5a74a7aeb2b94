import type { Access, PathAccess } from '../../approval/types'
import { commandIn, folderIn, hostIn, pathsIn } from './raw-input'
import type { ToolFields } from './tool-call'

const longestShown = 50_000

/**
 * What an agent's call would do, as the gate sees it: judged by what it will actually run and touch, never by the name
 * the agent gives it.
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
      sandboxed: caged,
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
    // Nothing but a name is known of the command, so no rule may allow it.
    ...(kind === 'execute' && { flagged: 'The agent does not say exactly what it will run' }),
  }
}

function pathAccess(kind: string | null | undefined, changes: boolean): PathAccess['access'] | null {
  if (changes || kind === 'edit' || kind === 'move') return 'write'
  if (kind === 'delete') return 'delete'
  return kind === 'read' || kind === 'search' ? 'read' : null
}

/** The same for every call of one tool of one agent, so that a rule can apply to it. */
const toolKey = (agent: string, { name, kind }: ToolFields): string =>
  `hosted.${agent.replace(/[^\w-]+/g, '-').slice(0, 60)}.${(name ?? kind ?? 'tool').replace(/[^\w-]+/g, '-').slice(0, 60)}`

function shownOf({ title, rawInput }: ToolFields): string {
  const input = rawInput === undefined ? '' : (JSON.stringify(rawInput, null, 2) ?? '')
  return [title ?? '', input].filter(Boolean).join('\n').slice(0, longestShown)
}
