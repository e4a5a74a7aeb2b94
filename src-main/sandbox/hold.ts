import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../temporary'
import { type Bounds, type Groups, openGroups } from './groups'
import { systemCallFilter } from './system-calls'

/** What limits commands besides the cage: resource limits, and a filter for system calls. */
export interface Hold {
  /** The argv that bubblewrap is started with. */
  start(): readonly string[]
  /** bubblewrap options. */
  options: readonly string[]
  /** The argv that the command is started with, inside. */
  within: readonly string[]
  close(): void
}

export const noHold: Hold = { start: () => [], options: [], within: [], close: () => {} }

/** Enough for any build; it stops a program that only forks. */
export const usualBounds = (): Bounds => ({ processes: 4096, memoryBytes: Math.floor(totalmem() * 0.75) })

/**
 * Opens the filter on the descriptor that bubblewrap expects, joins the groups, and execs the rest of its arguments.
 */
const starter = 'exec 9<"$1"; shift; while [ "$1" != -- ]; do echo $$ > "$1"; shift; done 2>/dev/null; shift; exec "$@"'

/** `prlimit` is the path of that program, if it is installed. */
export function openHold(bounds: Bounds, prlimit: string | null): Hold {
  const filter = systemCallFilter(process.arch)
  const groups: Groups = openGroups(bounds)
  let folder: string | null = null
  const filterFile = (): string => {
    if (!filter) return '/dev/null'
    // A cleanup of the temporary files may have removed it.
    if (folder === null || !existsSync(join(folder, 'filter'))) {
      folder = makeTemporaryFolder('filter')
      writeFileSync(join(folder, 'filter'), filter)
    }
    return join(folder, 'filter')
  }
  // The kernel counts processes by user and namespace, and does not limit root.
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
