import type { Part } from '../../src-preload/contract/messages'
import type { ToolState, ToolStatus } from '../../src-preload/contract/tool-calls'
import { isRecord } from '../is-record'
import { readJson } from '../storage/read-json'

/** Shown instead of a part that cannot be read. */
const damaged: Part = {
  type: 'notice',
  notice: { kind: 'damaged', text: 'This message is damaged and cannot be shown.' },
}

/** The parts of a message as they were saved. What a damaged disk has made unreadable is marked where it stands. */
export function readParts(text: string): Part[] {
  const parts = readJson<unknown, null>(text, null)
  if (!Array.isArray(parts)) return [damaged]
  return parts.every(isPart) ? parts : parts.map((part) => (isPart(part) ? part : damaged))
}

/** Each kind of part, and the field that nothing can be shown without. */
const needs = new Map<unknown, string>([
  ['text', 'text'],
  ['reasoning', 'text'],
  ['image', 'data'],
  ['file', 'text'],
  ['call', 'callId'],
] satisfies [Part['type'], string][])

function isPart(part: unknown): part is Part {
  if (!isRecord(part)) return false
  const field = needs.get(part.type)
  if (field !== undefined) return typeof part[field] === 'string'
  const inner = part.type === 'notice' ? part.notice : part.type === 'error' ? part.error : null
  return isRecord(inner) && typeof inner[part.type === 'notice' ? 'text' : 'message'] === 'string'
}

const statuses: ReadonlySet<unknown> = new Set<ToolStatus>([
  'pending',
  'awaiting',
  'running',
  'done',
  'failed',
  'denied',
  'aborted',
])

/** The state of a call as it was saved; one that cannot be read has ended. */
export function readState(text: string): ToolState {
  const state = readJson<unknown, null>(text, null)
  if (isRecord(state) && statuses.has(state.status) && isWhole(state)) return state as ToolState
  return { status: 'aborted', message: 'The result of this call is damaged and cannot be shown.' }
}

const isWhole = (state: Record<string, unknown>): boolean => {
  if (state.status === 'done' || state.status === 'failed') return Array.isArray(state.content)
  return state.status !== 'awaiting' || isRecord(state.question)
}
