import type { Message } from '../../src-preload/contract/messages'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { MainState, Transcript } from './main-state'

/** The messages on screen, by their positions in the session. */
export interface OnScreen {
  sessionId: string
  from: number
  to: number
}

/** How many messages are kept before and after those on screen. */
const margin = 100
/** The transcript is cut only when it is well beyond that, so that not every message causes a cut. */
const mostShown = 2 * margin + 100
const mostHidden = 100
/** How many ended processes and receipts are kept, besides those of loaded calls. */
const mostEnded = 100
const mostReceipts = 100

/**
 * Drops what is far from the screen; it is loaded again when the user scrolls there. Returns the same object if there
 * is nothing to drop, which is the usual case.
 */
export function trimState(state: MainState, onScreen: OnScreen | null, keepReceipts: boolean): MainState {
  const cut = trimTranscripts(state, onScreen)
  return trimReceipts(trimProcesses(cut), keepReceipts)
}

function trimTranscripts(state: MainState, onScreen: OnScreen | null): MainState {
  const transcripts = { ...state.transcripts }
  let changed = false
  for (const [sessionId, transcript] of Object.entries(state.transcripts)) {
    const shown = sessionId === state.opened[0]
    if (transcript.messages.length <= (shown ? mostShown : mostHidden)) continue
    changed = true
    if (shown) transcripts[sessionId] = around(transcript, onScreen?.sessionId === sessionId ? onScreen : null)
    else if (transcript.latest) transcripts[sessionId] = slice(transcript, transcript.messages.length - mostHidden)
    else delete transcripts[sessionId]
  }
  if (!changed) return state
  const held = new Set(Object.values(transcripts).flatMap(({ messages }) => messages.map(({ id }) => id)))
  const calls = Object.entries(state.calls).filter(
    ([, call]) => held.has(call.messageId) || !transcripts[call.sessionId] || call.state.status === 'awaiting',
  )
  return { ...state, transcripts, calls: Object.fromEntries(calls) }
}

/** What is on screen with a margin on both sides; if that is unknown, the end. */
function around(transcript: Transcript, onScreen: OnScreen | null): Transcript {
  const { messages } = transcript
  const end = messages.length
  const at = (seq: number, otherwise: number) => {
    const index = messages.findIndex((message: Message) => message.seq >= seq)
    return index < 0 ? otherwise : index
  }
  const from = onScreen ? at(onScreen.from, end - 1) : end - 1
  const to = onScreen ? at(onScreen.to, end - 1) : end - 1
  return slice(transcript, Math.max(0, from - margin), Math.min(end, to + 1 + margin))
}

function slice(transcript: Transcript, start: number, end = transcript.messages.length): Transcript {
  return {
    ...transcript,
    messages: transcript.messages.slice(start, end),
    prepended: transcript.prepended - start,
    complete: transcript.complete && start === 0,
    latest: transcript.latest && end === transcript.messages.length,
  }
}

function trimProcesses(state: MainState): MainState {
  const all = Object.values(state.processes)
  if (all.length <= 2 * mostEnded) return state
  const ended = all.filter((process) => process.status !== 'running').sort((a, b) => endOf(b) - endOf(a))
  const old = new Set(
    ended.slice(mostEnded).filter(({ callId }) => callId === null || !Object.hasOwn(state.calls, callId)),
  )
  if (old.size === 0) return state
  return { ...state, processes: Object.fromEntries(all.flatMap((each) => (old.has(each) ? [] : [[each.id, each]]))) }
}

const endOf = (process: ProcessInfo) => process.endedAt ?? process.startedAt

function trimReceipts(state: MainState, keep: boolean): MainState {
  if (keep || Object.keys(state.receipts).length <= 2 * mostReceipts) return state
  const receipts = Object.entries(state.receipts).filter(([callId]) => Object.hasOwn(state.calls, callId))
  return receipts.length === Object.keys(state.receipts).length
    ? state
    : { ...state, receipts: Object.fromEntries(receipts) }
}
