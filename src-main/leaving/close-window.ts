import type { Settings } from '../../src-preload/contract/settings'

/** What goes on behind a closed window. */
export interface AtWork {
  /** Sessions whose turn is running. */
  turns: number
  /** Questions that wait for the user. */
  questions: number
  /** Processes on this machine. */
  processes: number
  /** Jobs that will run by the clock. */
  jobs: number
}

type Leaving = 'hide' | 'quit' | 'ask'

/** What closing the window means. The user is asked the first time that something would go on, and not for nothing. */
export function onClose(setting: Settings['onClose'], { turns, questions, processes, jobs }: AtWork): Leaving {
  if (setting === 'background') return 'hide'
  if (setting === 'quit') return 'quit'
  return turns + questions + processes + jobs > 0 ? 'ask' : 'quit'
}

/** What is at work, as a sentence. */
export function atWorkWords({ turns, questions, processes, jobs }: AtWork): string {
  const parts = [
    counted(turns, 'session is working', 'sessions are working'),
    counted(questions, 'question is waiting', 'questions are waiting'),
    counted(processes, 'process is running', 'processes are running'),
    counted(jobs, 'job is scheduled', 'jobs are scheduled'),
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`
