import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { makeTemporaryFolder } from '../temporary'
import { type Bubblewrap, bubblewrapArgv } from './bubblewrap'
import { bareCage } from './cage'
import type { Bounds } from './groups'
import { noHold, openHold } from './hold'
import { seatbeltArgv } from './seatbelt'

/** Older versions cannot forbid further namespaces. */
const extras: readonly (readonly string[])[] = [['--disable-userns'], []]

export type Found<T> = { works: T } | { problem: string }

/** Finds out by running it: some systems have bubblewrap installed but do not let it do anything. */
export async function probeBubblewrap(path: string, bounds: Bounds): Promise<Found<Bubblewrap>> {
  const program = find('bwrap', path)
  if (!program) return { problem: 'bubblewrap is not installed (the package is called bubblewrap).' }
  const scratch = makeTemporaryFolder('probe')
  const held = openHold(bounds, find('prlimit', path))
  try {
    let problem = ''
    // From the strictest to the weakest: some kernels do not support filters.
    for (const hold of [held, noHold]) {
      for (const extra of extras) {
        const works = { program, extra, hold }
        const [file, ...args] = bubblewrapArgv(works, bareCage(scratch), ['/bin/sh', '-c', 'exit 0'], scratch)
        problem = await failure(file, args)
        if (problem === '') return { works }
      }
    }
    held.close()
    return { problem: `bubblewrap is installed, but this system does not let it work: ${problem}` }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Empty if it works: files outside cannot be changed, files inside can. */
export async function probeSeatbelt(): Promise<string> {
  const scratch = realpathSync(mkdtempSync(join(homedir(), '.deckhand-probe-')))
  const inside = join(scratch, 'inside')
  mkdirSync(inside)
  try {
    const cage = bareCage(inside)
    const script = `cd "${inside}" && echo x > a && ! (echo x > ../b) 2>/dev/null`
    const [file, ...args] = seatbeltArgv(cage, ['/bin/sh', '-c', script])
    const problem = await failure(file, args)
    return problem === '' ? '' : `sandbox-exec does not work here: ${problem}`
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export function find(program: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    if (!folder.startsWith('/')) continue
    const file = join(folder, program)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Empty if it succeeded. */
const failure = (file: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000, killSignal: 'SIGKILL' }, (error, _, stderr) => {
      if (!error) return resolve('')
      resolve((stderr.trim().split('\n').at(-1) || error.message).slice(0, 300))
    })
  })
