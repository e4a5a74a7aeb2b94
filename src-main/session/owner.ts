import { readFileSync } from 'node:fs'

/** Names this process so that no later one with the same pid is taken for it. */
export const thisProcess = (): string => `${process.pid}:${startOf(process.pid)}`

/** Whether the process that a row names still runs. */
export const isAlive = (owner: string): boolean => {
  const [pid, start] = owner.split(':')
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    // Somebody else's process is alive all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return start === startOf(Number(pid))
}

/** The time since boot at which it began, where the system tells; empty otherwise, and then the pid must do. */
const startOf = (pid: number): string => {
  if (process.platform !== 'linux') return ''
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may hold spaces; fields are counted from behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return '' // It has just ended: no start equals this.
  }
}
