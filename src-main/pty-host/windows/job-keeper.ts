import { type ChildProcess, spawn } from 'node:child_process'
import { jobKeeperScript } from './job-keeper-script'

/** Holds what a command starts in a job object of Windows, so that it can be ended as a whole. */
export interface JobKeeper {
  /** What the program starts from now on belongs to its job. */
  hold(pid: number): void
  /** Ends everything in the job of the program, and the program with what it has started before it was in the job. */
  end(pid: number): void
  close(): void
}

type Start = (argv: readonly [string, ...string[]], input: boolean) => ChildProcess

const startProgram: Start = ([file, ...args], input) =>
  spawn(file, args, { stdio: [input ? 'pipe' : 'ignore', 'ignore', 'ignore'], windowsHide: true })

const encoded = (script: string): string => Buffer.from(script, 'utf16le').toString('base64')

/**
 * UNTESTED on Windows. Node cannot call the system, so a PowerShell does; a line on its input is an order. When it ends, and so
 * when this process ends for whatever reason, Windows closes its handles and with them ends every job.
 */
export function createJobKeeper(start: Start = startProgram): JobKeeper {
  let keeper: ChildProcess | null = null
  const order = (words: string): void => {
    if (!keeper || keeper.exitCode !== null) {
      keeper = start(
        ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded(jobKeeperScript)],
        true,
      )
      // Without it, programs are ended by their family tree alone.
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
