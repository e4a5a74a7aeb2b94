import { closeSync, constants as fileFlags, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { errorText } from '../error-text'
import type { ProcessExit, ProcessSpec } from './process'

/** A program in its own terminal, whose master side is here. */
export interface Terminal {
  readonly fd: number
  readonly pid: number
  readonly path: string
  /** How the program ended; null if that can no longer be known. */
  readonly exited: Promise<ProcessExit | null>
  /**
   * Closes our handle on the program's side of the terminal, which is held open until the program has ended. Many
   * programs close their terminal a moment earlier (`rm` before it exits, a daemon long before), which looks like the
   * end from here: the terminal would be closed, and the kernel would kill what still runs with a hang-up.
   */
  release(): void
}

export interface Size {
  cols: number
  rows: number
}

/**
 * node-pty's native half. Its JavaScript half closes the terminal 200 ms after the program's end, whether or not
 * everything was read, and allocates 64 KiB for every 4 KiB that the kernel returns; we do both ourselves.
 */
interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string }
  open(cols: number, rows: number): { master: number; slave: number; pty: string }
  resize(fd: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void
}

let loaded: { native: NativePty; helperPath: string } | null = null

function load(): { native: NativePty; helperPath: string } {
  if (loaded) return loaded
  if (process.platform === 'win32') throw new Error('Terminals of Windows are opened by windows/conpty-child')
  const require = createRequire(import.meta.url)
  const prebuilt = join(
    dirname(require.resolve('node-pty/package.json')),
    `prebuilds/${process.platform}-${process.arch}`,
  )
  const native: NativePty = require(join(prebuilt, 'pty.node'))
  // macOS starts programs through a small helper, which cannot run from inside an archive.
  loaded = { native, helperPath: join(prebuilt.replace('app.asar', 'app.asar.unpacked'), 'spawn-helper') }
  return loaded
}

/** node-pty names the call that failed, but not why: the system has a limit for terminals, programs and open files. */
function inWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!/^(fork|open)pty\(3\) failed/.test(errorText(error))) throw error
    throw new Error('The system cannot open any more terminals. End some of the programs that run, then try again', {
      cause: error,
    })
  }
}

/** Starts a program as a child of this process. */
export function forkTerminal(spec: ProcessSpec, { cols, rows }: Size): Terminal {
  const { native, helperPath } = load()
  const [file, ...args] = spec.argv
  let onExit: (code: number, signal: number) => void = () => {}
  const exited = new Promise<ProcessExit>((resolve) => {
    onExit = (code, signal) => resolve(exitOf(code, signal))
  })
  const { fd, pid, pty } = inWords(() =>
    native.fork(file, args, environment(spec), spec.cwd, cols, rows, -1, -1, true, helperPath, onExit),
  )
  return { fd, pid, path: pty, exited, release: holdOpen(pty) ?? (() => {}) }
}

/** A terminal that a program can open by its path; null if that path is not visible here. */
export function openTerminal({ cols, rows }: Size): Pick<Terminal, 'fd' | 'path' | 'release'> | null {
  const { native } = load()
  const { master, slave, pty } = inWords(() => native.open(cols, rows))
  const release = holdOpen(pty)
  // Every program started from now on would inherit this descriptor.
  closeSync(slave)
  if (release) return { fd: master, path: pty, release }
  closeSync(master)
  return null
}

/** Null if a container hides its own terminals; then the terminal ends when its last user closes it. */
function holdOpen(path: string): (() => void) | null {
  try {
    const fd = openSync(path, fileFlags.O_RDWR | fileFlags.O_NOCTTY)
    return () => closeSync(fd)
  } catch {
    return null
  }
}

export const resizeTerminal = (fd: number, { cols, rows }: Size): void => load().native.resize(fd, cols, rows, 0, 0)

/** As `NAME=value`, for a program that is about to be started. */
export const environment = (spec: ProcessSpec): string[] =>
  Object.entries({ ...spec.env, PWD: spec.cwd }).map(([name, value]) => `${name}=${value}`)

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

export const exitOf = (code: number, signal: number): ProcessExit =>
  signal === 0 ? { exitCode: code, signal: null } : { exitCode: null, signal: signalNames.get(signal) ?? `${signal}` }
