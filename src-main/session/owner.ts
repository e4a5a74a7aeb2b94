import { isProcessAlive, startOfProcess } from '../process-alive'

/** Names this process so that no later one with the same pid is taken for it. */
export const thisProcess = (): string => `${process.pid}:${startOfProcess(process.pid)}`

/** Whether the process that a row names still runs. */
export const isAlive = (owner: string): boolean => {
  const [pid, start] = owner.split(':')
  // Where the system tells no start, the pid must do.
  return isProcessAlive(Number(pid)) && start === startOfProcess(Number(pid))
}
