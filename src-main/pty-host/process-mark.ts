import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { readProcessFile } from '../process-alive'
import type { ProcessSpec } from './process'

/**
 * Every program that the app starts on Linux carries a number in its resource limit for file locks, which kernels have
 * ignored since 2.4.25. Its descendants inherit that number, even through `setsid`, a double fork, an empty
 * environment, another user or a sandbox, so they can be found and ended long after their parents are gone.
 */
export const LOCKS_LIMIT = 10
const limitName = 'Max file locks'
/** Only the soft limit is set, so that an app started from a terminal of the app can set its own marks. */
const base = 2 ** 48

export const markOf = (id: string): number => base + createHash('sha256').update(id).digest().readUIntBE(0, 6)

/** The mark of a process; null if it has none, has ended, or the system does not tell. */
export function markOn(pid: number | 'self'): number | null {
  const text = readProcessFile(pid, 'limits') ?? ''
  const start = text.indexOf(limitName)
  const mark = start === -1 ? Number.NaN : Number.parseInt(text.slice(start + limitName.length), 10)
  return mark >= base ? mark : null
}

/** From util-linux, which is in the base system of every common distribution. */
const prlimit = '/usr/bin/prlimit'
let canMark: boolean | null = null

/** Whether programs started here get a mark; on other systems an environment variable is used. */
export function marksPrograms(): boolean {
  canMark ??= process.platform === 'linux' && isProgram(prlimit)
  return canMark
}

/** The same program, started with its mark. */
export function marked<Spec extends Pick<ProcessSpec, 'id' | 'argv' | 'cwd' | 'env'>>(spec: Spec): Spec {
  // A program that cannot be started is not wrapped, so that the error names it and not the helper.
  if (!marksPrograms() || !canStart(spec)) return spec
  return { ...spec, argv: [prlimit, `--locks=${markOf(spec.id)}:`, '--', ...spec.argv] }
}

function canStart({ argv: [file], cwd, env }: Pick<ProcessSpec, 'argv' | 'cwd' | 'env'>): boolean {
  if (file.includes('/')) return isProgram(isAbsolute(file) ? file : join(cwd, file))
  return (env.PATH ?? process.env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, file)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
