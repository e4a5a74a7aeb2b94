import { existsSync } from 'node:fs'
import type { WordOrigin } from '../../src-preload/contract/approval'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { callWords } from '../approval/origins/call-words'
import { type FoundOrigin, findOrigins } from '../approval/origins/find-origins'
import type { Access, Decision } from '../approval/types'
import { readJson } from '../storage/read-json'
import type { QuestionDraft } from '../tools/question'
import { type ReadAt, sessionTexts, stringsIn } from './session-texts'
import type { Store } from './store'

/** A card waits no longer than this for it. */
const LIMIT_MS = 250

/** Adds to a question where its words come from. It costs nothing until a question is asked. */
export async function withOrigins(
  store: Store,
  draft: QuestionDraft,
  call: ToolCall,
  access: Access,
  decision: Decision,
): Promise<QuestionDraft> {
  const started = performance.now()
  const isLate = (): boolean => performance.now() - started > LIMIT_MS
  const words = callWords({
    access,
    commands: decision.subCommands.map(({ text }) => text),
    values: access.paths?.length ? [] : stringsIn(readJson<unknown, null>(call.arguments, null)),
    added: access.paths?.length ? (draft.diff ?? []).filter(({ by }) => by === undefined).map(newText) : [],
    // Elsewhere nobody looks: a path is taken for one that is there.
    exists: (path) => access.node !== 'local' || existsSync(path),
  })
  if (words.length === 0) return draft
  const texts = await sessionTexts(store, call, isLate)
  const origins = findOrigins(words, texts, access.workspace, isLate).map(shownOrigin)
  return origins.length === 0 ? draft : { ...draft, origins }
}

/** What a change adds that was not in what it takes away. */
function newText({ patch }: FileDiff): string {
  const lines = patch.split('\n')
  const removed = lines.filter((line) => line.startsWith('-')).join('\n')
  return lines
    .filter((line) => line.startsWith('+'))
    .flatMap((line) => line.slice(1).split(/\s+/))
    .filter((word) => !removed.includes(word))
    .join(' ')
}

const MAX_LINE = 240

function shownOrigin({ words, place: { place, callId, firstLine }, row, line }: FoundOrigin<ReadAt>): WordOrigin {
  const numbered = (place.kind === 'file' || place.kind === 'attachment') && firstLine !== undefined
  return {
    words: words.map((word) => word.slice(0, MAX_LINE)),
    callId,
    place: numbered ? { ...place, line: firstLine + row } : place,
    line: around(line, words[0] ?? ''),
  }
}

/** A long line, cut so that the word is in sight. */
function around(line: string, word: string): string {
  const text = line.trim()
  if (text.length <= MAX_LINE) return text
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()))
  const from = Math.max(0, Math.min(at - 60, text.length - MAX_LINE))
  return `${from > 0 ? '…' : ''}${text.slice(from, from + MAX_LINE)}${from + MAX_LINE < text.length ? '…' : ''}`
}
