import { isProcessAlive, startOfProcess } from '../process-alive'

/** A name for this process that a later process with the same pid does not share. */
export const thisProcess = (): string => `${process.pid}:${startOfProcess(process.pid)}`

/** Whether the process that a row names still runs. */
export const isAlive = (owner: string): boolean => {
  const [pid, start] = owner.split(':')
  // If the system does not report start times, the pid alone has to do.
  return isProcessAlive(Number(pid)) && start === startOfProcess(Number(pid))
}
