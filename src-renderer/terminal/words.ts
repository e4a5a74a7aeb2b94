import type { InputPrompt, ProcessInfo, ProcessStatus } from '../../src-preload/contract/processes'

type Tone = 'running' | 'waiting' | 'good' | 'failed' | 'quiet'

interface ProcessState {
  tone: Tone
  /** A word or two for the header. */
  label: string
  /** The details, for the tooltip and for screen readers. */
  detail: string
}

export const isLiveStatus = (status: ProcessStatus) => status === 'running' || status === 'survived'

/** The state of a process, in words. */
export function describe(process: ProcessInfo): ProcessState {
  switch (process.status) {
    case 'running':
      if (process.link === 'down')
        return {
          tone: 'quiet',
          label: 'connection lost',
          detail: `The connection to ${process.node} is down. The process may still be running there, and will reappear when ${process.node} is back.`,
        }
      if (process.secretInput)
        return {
          tone: 'waiting',
          label: 'needs your input',
          detail: 'Asking for something secret. The agent cannot read or type here, and what you type is not recorded.',
        }
      if (process.prompt) return asking(process.prompt)
      return { tone: 'running', label: 'running', detail: `Running as process ${process.pid}` }
    case 'survived':
      return {
        tone: 'running',
        label: 'survived the restart',
        detail: `Still running as process ${process.pid}, but its terminal closed with the app. You can read its earlier output and stop it.`,
      }
    case 'lost':
      return {
        tone: 'quiet',
        label: process.link === undefined ? 'ended with Deckhand' : 'lost',
        detail:
          process.link === undefined
            ? 'Ended when Deckhand quit or its terminal closed, so its exit code is unknown. Its output is kept.'
            : `${process.node} came back without it, so its exit code is unknown. Its output is kept.`,
      }
    case 'exited':
      return ending(process)
  }
}

const asking = ({ text, guess }: InputPrompt): ProcessState => ({
  tone: 'waiting',
  label: guess ? 'may need your input' : 'needs your input',
  detail: `${guess ? 'Seems to be waiting' : 'Waiting'} for an answer: ${text}`,
})

function ending({ exitCode, signal, timedOut }: ProcessInfo): ProcessState {
  if (timedOut) return { tone: 'failed', label: 'timed out', detail: 'Stopped because it reached its time limit' }
  if (signal) return { tone: 'failed', label: signal, detail: `Ended by signal ${signal}` }
  if (exitCode === 0) return { tone: 'good', label: 'exit 0', detail: 'Succeeded (exit code 0)' }
  if (exitCode === null) return { tone: 'quiet', label: 'ended', detail: 'Ended; exit code unknown' }
  return { tone: 'failed', label: `exit ${exitCode}`, detail: `Ended with exit code ${exitCode}` }
}

/** A short time span: 8s, 3m, 2h, 5d. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** How long it has run or ran. */
export const age = (process: ProcessInfo, now: number) => span((process.endedAt ?? now) - process.startedAt)

/** A path with the home folder as `~`. */
export function shortPath(path: string): string {
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/, '~')
}
