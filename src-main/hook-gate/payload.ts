import { z } from 'zod'
import type { Access } from '../approval/types'
import { errorText } from '../error-text'
import { accessOf } from '../session/hosted/access'
import { gistOf, nameOf, type ToolFields } from '../session/hosted/tool-call'

/** What Claude Code and Codex write to the standard input of a hook before a tool runs. */
const payload = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PermissionRequest']),
  session_id: z.string().max(500).default(''),
  cwd: z.string().min(1).max(4096),
  tool_name: z.string().min(1).max(300),
  tool_input: z.unknown(),
  /** Only Codex has turns. */
  turn_id: z.string().optional(),
})

export interface HookCall {
  agent: 'Claude Code' | 'Codex'
  event: 'PreToolUse' | 'PermissionRequest'
  /** The agent's own session. */
  session: string
  workspace: string
  fields: ToolFields
}

/** Tools of these agents that touch nothing but their own plans and questions: their own prompts are enough. */
const internal = new Set([
  ...['TodoWrite', 'TodoRead', 'Task', 'Agent', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet', 'TaskOutput'],
  ...['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion', 'Skill', 'SlashCommand', 'ToolSearch', 'update_plan'],
  ...['BashOutput', 'KillShell', 'KillBash'],
])

const kinds = new Map<string, ToolFields['kind']>([
  ['Bash', 'execute'],
  ['shell', 'execute'],
  ['exec_command', 'execute'],
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['Write', 'edit'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['apply_patch', 'edit'],
  ['WebFetch', 'fetch'],
])

/** Reads the payload of a hook; the words say what is wrong with it. */
export function readHook(text: string): HookCall | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `The hook's input is not JSON: ${errorText(error)}` }
  }
  const read = payload.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return { problem: `The hook's input is not understood: ${issue?.path.join('.')}: ${issue?.message}` }
  }
  const { hook_event_name: event, session_id: session, cwd, tool_name: name, tool_input: input, turn_id } = read.data
  return {
    agent: turn_id === undefined ? 'Claude Code' : 'Codex',
    event,
    session,
    workspace: cwd,
    fields: fieldsOf(name, input, cwd),
  }
}

/** Whether the call is only about the agent itself. */
export const isInternal = ({ fields }: HookCall): boolean => internal.has(fields.name ?? '')

/** What the call would do, as the gate sees it. */
export const hookAccess = ({ agent, workspace, fields }: HookCall): Access => accessOf(fields, agent, workspace, false)

/** How the call is shown: its name and one line about it. */
export const hookWords = ({ workspace, fields }: HookCall): { name: string; gist: string } => ({
  name: nameOf(fields),
  gist: gistOf(fields, workspace) || (fields.name ?? ''),
})

function fieldsOf(name: string, input: unknown, cwd: string): ToolFields {
  const kind = kinds.get(name)
  const base = { toolCallId: '', name, title: name, ...(kind && { kind }) }
  // A patch stands where other tools have a command.
  if (name === 'apply_patch') return { ...base, locations: patchedFiles(input).map((path) => ({ path })) }
  // A search without a folder reads the workspace.
  const locations = kind === 'search' && !hasPath(input) ? [{ path: cwd }] : undefined
  return { ...base, rawInput: input, locations }
}

const withPath = z.looseObject({ path: z.string().min(1) })
const hasPath = (input: unknown): boolean => withPath.safeParse(input).success

const patch = z.looseObject({
  command: z.string().optional(),
  patch: z.string().optional(),
  input: z.string().optional(),
})
const patchLine = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

function patchedFiles(input: unknown): string[] {
  const read = patch.safeParse(input).data
  const text = typeof input === 'string' ? input : (read?.command ?? read?.patch ?? read?.input ?? '')
  return [...text.matchAll(patchLine)].map(([, path = '']) => path.trim())
}
