import type { AgentFile } from '../../src-preload/contract/agents'
import type { FileDraft } from '../state/view'

interface FileGroup {
  label: string
  files: AgentFile[]
}

/** An agent's files by purpose; daily notes newest first. */
export function groupFiles(files: AgentFile[]): FileGroup[] {
  const of = (kind: AgentFile['kind']) => files.filter((file) => file.kind === kind)
  const notes = of('note').sort((a, b) => b.path.localeCompare(a.path))
  const groups = [
    { label: 'In every prompt', files: of('prompt') },
    { label: 'Daily notes', files: notes },
    { label: 'Other files', files: of('other') },
    { label: 'Skills', files: of('skill') },
  ]
  return groups.filter((group) => group.files.length > 0)
}

export const draftKey = (agentId: string, path: string) => `${agentId}/${path}`

/** The file on disk is neither what the draft started from nor what was written. */
export const isConflict = (draft: FileDraft | undefined, disk: string) =>
  draft !== undefined && draft.base !== disk && draft.text !== disk

export function agentIdError(id: string, taken: string[]): string | undefined {
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(id)) return 'Use lowercase letters and digits, separated by dashes or underscores.'
  if (id.length > 64) return 'Use at most 64 characters.'
  if (taken.includes(id)) return 'An agent with this name already exists.'
  return undefined
}

/** Why a new file cannot have this path, or nothing. */
export function filePathError(path: string): string | undefined {
  if (path === '') return 'Enter a name, such as PROJECTS.md.'
  if (path.startsWith('/') || path.split('/').includes('..')) return 'The file must be inside the agent’s folder.'
  if (!/\.(md|txt|json|ya?ml|toml|csv)$/i.test(path)) return 'Use a text file: .md, .txt, .json, .yaml, .toml or .csv.'
  return undefined
}
