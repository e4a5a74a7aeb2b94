import { isAbsolute, resolve } from 'node:path'
import { commandText } from '../../hosts/command-line'
import { isRecord } from '../../is-record'

/** What the raw input of an agent's tool says it will do. Agents name the same things differently. */

const commandKeys = ['command', 'cmd', 'script', 'shell_command', 'commandLine', 'command_line']
const pathKeys = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'abs_path',
  'absolute_path',
  'file',
  'notebook_path',
  'target_file',
]
const folderKeys = ['cwd', 'workdir', 'directory', 'working_directory', 'dir']
const urlKeys = ['url', 'uri']

/** Tools that edit files put the kind of edit where shells put their command. */
const editorWords = new Set([
  'view',
  'read',
  'create',
  'write',
  'str_replace',
  'insert',
  'undo_edit',
  'edit',
  'replace',
])

const textAt = (raw: unknown, keys: readonly string[]): string | null => {
  if (!isRecord(raw)) return null
  for (const key of keys) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

/** The command that the call runs, as shell text; null if it names none. */
export function commandIn(raw: unknown, kind: string | null | undefined): string | null {
  if (!isRecord(raw)) return null
  for (const key of commandKeys) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return commandText(value)
    if (typeof value !== 'string' || value.trim() === '') continue
    const edits = kind !== 'execute' && editorWords.has(value.trim()) && textAt(raw, pathKeys) !== null
    return edits ? null : value
  }
  return null
}

export function folderIn(raw: unknown, workspace: string): string {
  const named = textAt(raw, folderKeys)
  return named === null ? workspace : resolve(workspace, named)
}

/** Every path that the call names: in its input, its locations, and the changes it shows. */
export function pathsIn(
  raw: unknown,
  locations: readonly { path: string }[],
  diffs: readonly { path: string }[],
  workspace: string,
): string[] {
  const named = textAt(raw, pathKeys)
  const all = [
    ...(named === null ? [] : [named]),
    ...locations.map(({ path }) => path),
    ...diffs.map(({ path }) => path),
  ]
  const usable = all.filter((path) => path !== '' && !path.includes('\0'))
  return [...new Set(usable.map((path) => (isAbsolute(path) ? resolve(path) : resolve(workspace, path))))]
}

/** The host that the call connects to, if it names a URL. */
export function hostIn(raw: unknown): string | null {
  const named = textAt(raw, urlKeys)
  return named === null ? null : (URL.parse(named)?.hostname ?? null)
}

/**
 * The inner tool and its arguments, for agents such as Qwen Code that call tools of MCP servers through a wrapper tool.
 * Only for display: whether a call is for one of our tools is never decided by this.
 */
export function passedOn(name: string | null | undefined, raw: unknown): { name: string; rawInput: unknown } | null {
  if (name !== 'tool_call' || !isRecord(raw)) return null
  return typeof raw.name === 'string' && isRecord(raw.arguments) ? { name: raw.name, rawInput: raw.arguments } : null
}
