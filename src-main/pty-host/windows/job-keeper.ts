import { type ChildProcess, spawn } from 'node:child_process'
import { jobKeeperScript } from './job-keeper-script'

/** Holds what a command starts in a Windows job object, so that it can be ended as a whole. */
export interface JobKeeper {
  /** What the program starts from now on belongs to its job. */
  hold(pid: number): void
  /** Ends everything in the program's job, the program itself, and what it started before it was in the job. */
  end(pid: number): void
  close(): void
}

type Start = (argv: readonly [string, ...string[]], input: boolean) => ChildProcess

const startProgram: Start = ([file, ...args], input) =>
  spawn(file, args, { stdio: [input ? 'pipe' : 'ignore', 'ignore', 'ignore'], windowsHide: true })

const encoded = (script: string): string => Buffer.from(script, 'utf16le').toString('base64')

/**
 * Untested on Windows. Node cannot make these system calls, so PowerShell does; each line of its input is a request.
 * When it ends, which it does whenever this process ends, Windows closes its handles and thereby ends every job.
 */
export function createJobKeeper(start: Start = startProgram): JobKeeper {
  let keeper: ChildProcess | null = null
  const order = (words: string): void => {
    if (!keeper || keeper.exitCode !== null) {
      keeper = start(
        ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded(jobKeeperScript)],
        true,
      )
      // If it cannot run, programs are ended only by their process tree.
      keeper.on('error', () => {})
      keeper.stdin?.on('error', () => {})
    }
    keeper.stdin?.write(`${words}\n`)
  }
  return {
    hold: (pid) => order(`hold ${pid}`),
    end(pid) {
      order(`end ${pid}`)
      start(['taskkill.exe', '/PID', String(pid), '/T', '/F'], false).on('error', () => {})
    },
    close() {
      keeper?.stdin?.end()
      keeper = null
    },
  }
}
