import type { Message } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { count } from '../state/format'

/** Consecutive calls without text in between, possibly over several messages. */
export interface CallRun {
  /** The id of its first call. */
  id: string
  calls: string[]
}

/** The key under which it is stored whether a run is expanded. */
export const runKey = (run: CallRun) => `run-${run.id}`

/** This many quiet calls in a row are folded into one line. */
const fewest = 5

const known = new WeakMap<readonly Message[], Map<string, CallRun>>()

/** The runs of a transcript by call, computed once for each array of messages. */
export function callRuns(messages: readonly Message[]): Map<string, CallRun> {
  const held = known.get(messages)
  if (held) return held
  const runs = new Map<string, CallRun>()
  let run: CallRun | null = null
  for (const message of messages) {
    const own = message.role === 'assistant'
    if (!own) run = null
    for (const part of message.parts) {
      if (part.type === 'call') {
        run ??= { id: part.callId, calls: [] }
        run.calls.push(part.callId)
        runs.set(part.callId, run)
      } else if (part.type !== 'reasoning' && !(part.type === 'text' && part.text.trim() === '')) run = null
    }
    if (!own) run = null
  }
  known.set(messages, runs)
  return runs
}

const quietKinds = new Set(['process', 'file', 'diff', 'matches', 'text', undefined])

/** A call that succeeded and has nothing that the user must see, so that it may be folded. */
export function isQuiet(call: ToolCall | undefined): boolean {
  if (call?.state.status !== 'done') return false
  const { display } = call.state
  if (!quietKinds.has(display?.type)) return false
  if (display?.type !== 'process') return true
  return display.exitCode === 0 && display.blocked === undefined && display.planted === undefined
}

const counted = new WeakMap<CallRun, { calls: Record<string, ToolCall>; folds: boolean }>()

/** Whether enough of a run is quiet for it to be folded. */
export function folds(run: CallRun, calls: Record<string, ToolCall>): boolean {
  if (run.calls.length < fewest) return false
  const held = counted.get(run)
  if (held?.calls === calls) return held.folds
  const result = run.calls.filter((id) => isQuiet(calls[id])).length >= fewest
  counted.set(run, { calls, folds: result })
  return result
}

/** A run in one line: "Ran 24 commands, read 3 files, edited 2 files", and how many failed. */
export function runWords(calls: ToolCall[]): { done: string; failed: string } {
  const tally = { commands: 0, reads: 0, searches: 0, others: 0 }
  const edited = new Set<string>()
  let failed = 0
  let refused = 0
  for (const call of calls) {
    const { state } = call
    const display = 'display' in state ? state.display : undefined
    if (state.status === 'denied') refused++
    else if (state.status === 'failed' || (display?.type === 'process' && (display.exitCode ?? 0) !== 0)) failed++
    if (display?.type === 'process' || (!display && /bash|shell|exec/i.test(call.name))) tally.commands++
    else if (display?.type === 'diff') for (const { path } of display.files) edited.add(path)
    else if (display?.type === 'file') tally.reads++
    else if (display?.type === 'matches') tally.searches++
    else tally.others++
  }
  const done = [
    tally.commands > 0 && `ran ${count(tally.commands, 'command')}`,
    tally.reads > 0 && `read ${count(tally.reads, 'file')}`,
    tally.searches > 0 && `searched ${tally.searches === 1 ? 'once' : `${tally.searches} times`}`,
    edited.size > 0 && `edited ${count(edited.size, 'file')}`,
    tally.others > 0 && `used ${count(tally.others, tally.commands + tally.reads > 0 ? 'other tool' : 'tool')}`,
  ]
    .filter(Boolean)
    .join(', ')
  const wrong = [failed > 0 && `${failed} failed`, refused > 0 && `${refused} denied`].filter(Boolean).join(', ')
  return { done: done.charAt(0).toUpperCase() + done.slice(1), failed: wrong }
}

/** The files that the edits of a run changed, each once, in order. */
export function editedPaths(calls: ToolCall[]): string[] {
  const paths = calls.flatMap(({ state }) =>
    state.status === 'done' && state.display?.type === 'diff' ? state.display.files.map(({ path }) => path) : [],
  )
  return [...new Set(paths)]
}
