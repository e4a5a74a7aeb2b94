import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Ends every process that works in `folder` or was started with a path in it, so that no test leaves anything behind. */
export async function endProcessesOf(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (let round = 0; round < 20; round++) {
    const left = processesOf(folder)
    if (left.length === 0) return
    for (const pid of left) kill(pid)
    await sleep(50)
  }
}

/** Pids of processes whose working folder or command line lies in `folder`. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && belongsTo(pid, folder))
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    )
  } catch {
    // It ended while we looked, or it is not ours to see.
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
