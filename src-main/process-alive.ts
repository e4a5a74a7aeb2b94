import { closeSync, openSync, readSync } from 'node:fs'

/** Whether a process still runs. One that has ended and that nobody has collected, as in a container without an init, does not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is alive all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const state = statOf(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/** The time since boot at which it began, where the system tells; empty otherwise. */
export const startOfProcess = (pid: number): string => statOf(pid)?.[19] ?? ''

/** The process group, where the system tells; 0 otherwise. */
export const groupOfProcess = (pid: number): number => Number(statOf(pid)?.[2] ?? 0)

/** The process that it is a child of, where the system tells; 0 otherwise. */
export const parentOfProcess = (pid: number): number => Number(statOf(pid)?.[1] ?? 0)

/** The name of its program, at most 15 characters of it, where the system tells; empty otherwise. */
export function nameOfProcess(pid: number): string {
  const stat = process.platform === 'linux' ? (readProcessFile(pid, 'stat') ?? '') : ''
  return stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
}

/** The fields of /proc/<pid>/stat from the state on; null where the system has none or the process is gone. */
export function statOf(pid: number): string[] | null {
  const stat = process.platform === 'linux' ? readProcessFile(pid, 'stat') : null
  // The name of the program, in parentheses, may hold spaces; fields are counted from behind it.
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const buffer = Buffer.allocUnsafe(4096)

/** A short file of the kernel's about a process, in half the time that `readFileSync` takes; null when it is gone. */
export function readProcessFile(pid: number | 'self', name: 'stat' | 'limits'): string | null {
  try {
    const file = openSync(`/proc/${pid}/${name}`, 'r')
    try {
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return null // It has just ended.
  }
}
