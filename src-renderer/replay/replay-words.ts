import type { ReplayCall, ReplayTerminal } from '../../src-preload/contract/replay'

type CallStatus = 'pending' | 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'aborted'

/** The status of a call at a given time. */
export function statusAt(call: ReplayCall, time: number): CallStatus {
  const { startedAt, endedAt, outcome, asked } = call
  if (outcome !== 'open' && (endedAt ?? startedAt ?? call.createdAt) <= time) return outcome
  if (startedAt !== null && startedAt <= time) return 'running'
  return asked ? 'waiting' : 'pending'
}

export const statusWords: Record<CallStatus, string> = {
  pending: 'starting',
  waiting: 'waiting for approval',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  aborted: 'stopped',
}

/** The text beside the name of a terminal. */
export function terminalState({ startedAt, endedAt, exitCode }: ReplayTerminal, time: number): string {
  if (endedAt === null || endedAt > time) return `running · ${clock(time - startedAt)}`
  return exitCode === null ? 'ended' : `exit ${exitCode}`
}

/** What somebody typed, in one line. */
export function typedWords(by: 'user' | 'agent', text: string): string {
  const who = by === 'user' ? 'You typed' : 'Agent typed'
  if (text === '') return `${who} hidden text`
  return `${who} ${[...text].map((char) => (char === '\r' || char === '\n' ? '⏎' : char < ' ' ? '·' : char)).join('')}`
}

/** 0:07, 12:34, 1:02:03. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

export const pauseWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return `Skipping a pause of ${Math.round(ms / 1000)} s`
  return minutes < 120 ? `Skipping a pause of ${minutes} min` : `Skipping a pause of ${Math.round(minutes / 60)} h`
}
