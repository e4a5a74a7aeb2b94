import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../temporary'
import { type Bounds, type Groups, openGroups } from './groups'
import { systemCallFilter } from './system-calls'

/** What holds commands besides the walls around them: how much they may use, and what they may ask of the kernel. */
export interface Hold {
  /** The words that bubblewrap is started with. */
  start(): readonly string[]
  /** Options of bubblewrap. */
  options: readonly string[]
  /** The words that the command is started with, inside. */
  within: readonly string[]
  close(): void
}

export const noHold: Hold = { start: () => [], options: [], within: [], close: () => {} }

/** Enough for any build; a program that only multiplies itself ends here. */
export const usualBounds = (): Bounds => ({ processes: 4096, memoryBytes: Math.floor(totalmem() * 0.75) })

/** Opens the filter where bubblewrap expects it, joins the groups, and becomes what follows. */
const starter = 'exec 9<"$1"; shift; while [ "$1" != -- ]; do echo $$ > "$1"; shift; done 2>/dev/null; shift; exec "$@"'

/** `prlimit` is where the program of this name is, if it is anywhere. */
export function openHold(bounds: Bounds, prlimit: string | null): Hold {
  const filter = systemCallFilter(process.arch)
  const groups: Groups = openGroups(bounds)
  let folder: string | null = null
  const filterFile = (): string => {
    if (!filter) return '/dev/null'
    // Among the temporary files something may have cleaned up.
    if (folder === null || !existsSync(join(folder, 'filter'))) {
      folder = makeTemporaryFolder('filter')
      writeFileSync(join(folder, 'filter'), filter)
    }
    return join(folder, 'filter')
  }
  // The kernel counts them for each user and namespace, and does not count those of root.
  const counted = prlimit !== null && process.getuid?.() !== 0
  return {
    start: () => ['/bin/sh', '-c', starter, 'sh', filterFile(), ...groups.doors, '--'],
    options: filter ? ['--seccomp', '9'] : [],
    within: counted ? [prlimit, `--nproc=${bounds.processes}`] : [],
    close: () => {
      groups.close()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}
