import { basename } from 'node:path'
import type { Question } from '../../src-preload/contract/approval'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { Access, Decision } from '../approval/types'
import { fileDiff } from '../changes/file-diff'

/** What the card shows, before the session adds an id and its place in the history. */
export type QuestionDraft = Omit<Question, 'id' | 'callId' | 'sessionId' | 'ancestry' | 'createdAt'>

/** Everything that the approval card shows about a call. */
export function questionDraft(
  name: string,
  access: Access,
  decision: Decision,
  editable: boolean,
  preview: FileDiff[] | undefined,
): QuestionDraft {
  const changed = decision.changed?.map(({ name, before, after }) => fileDiff(name, before, after))
  const diff = preview ?? changed
  const shown = access.command ?? access.shown
  return {
    kind: access.command !== undefined ? 'command' : access.paths?.length ? 'file' : 'tool',
    title: titleOf(name, access, decision),
    node: access.node,
    cwd: access.cwd,
    reason: decision.reason,
    offers: decision.offers.map((offer, index) => ({ index, scope: offer.scope, sentence: offer.sentence })),
    editable,
    command: shown,
    ...(decision.subCommands.length > 0 && { subCommands: decision.subCommands }),
    ...(decision.resources.length > 0 && { resources: decision.resources }),
    typedWord: decision.typedWord,
    ...(diff && diff.length > 0 && { diff }),
  }
}

function titleOf(name: string, access: Access, { leaves, blocked }: Decision): string {
  if (blocked !== undefined) return 'Run it outside'
  if (leaves) return 'Run a command outside the sandbox'
  if (access.typed) return `Type into ${shortened(access.processName ?? 'a terminal')}`
  if (access.command !== undefined) return 'Run a command'
  const paths = access.paths ?? []
  const first = paths[0]
  if (!first) return `Use ${name}`
  const kinds = new Set(paths.map(({ access: kind }) => kind))
  const verb = kinds.has('write') ? 'Change' : kinds.has('delete') ? 'Delete' : 'Read'
  return paths.length === 1 ? `${verb} ${basename(first.path)}` : `${verb} ${paths.length} files`
}

/** Long command lines are recognised by their beginning. */
const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name)
