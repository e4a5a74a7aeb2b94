import { createJobKeeper, type JobKeeper } from './job-keeper'

let keeper: JobKeeper | null = null

/** Created with the first program. */
const theKeeper = (): JobKeeper => {
  keeper ??= createJobKeeper()
  return keeper
}

/** Called for every program that was started. */
export const holdProgram = (pid: number): void => theKeeper().hold(pid)

/**
 * Windows has no signals: whatever would end a program ends all of it at once. Returns whether the program is there.
 */
export function signalOnWindows(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (name === 'SIGTERM' || name === 'SIGKILL' || name === 'SIGHUP') theKeeper().end(pid)
  return true
}

export function releasePrograms(): void {
  keeper?.close()
  keeper = null
}
