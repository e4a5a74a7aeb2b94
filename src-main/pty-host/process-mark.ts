import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { readProcessFile } from '../process-alive'
import type { ProcessSpec } from './process'

/**
 * Every program that the app starts on Linux carries a number in its limit for file locks, which kernels have not looked at
 * since 2.4.25. Whatever it starts inherits that number, be it by `setsid`, by two forks, with an empty environment, as
 * another user or in a sandbox, and so it can be found and ended long after its parents are gone.
 */
export const LOCKS_LIMIT = 10
const limitName = 'Max file locks'
/** A soft limit, so that an app started from a terminal of the app can set marks of its own. */
const base = 2 ** 48

export const markOf = (id: string): number => base + createHash('sha256').update(id).digest().readUIntBE(0, 6)

/** The number that a process carries; null when it carries none, has ended, or the system does not tell. */
export function markOn(pid: number | 'self'): number | null {
  const text = readProcessFile(pid, 'limits') ?? ''
  const start = text.indexOf(limitName)
  const mark = start === -1 ? Number.NaN : Number.parseInt(text.slice(start + limitName.length), 10)
  return mark >= base ? mark : null
}

/** From util-linux, which every common distribution has as a part of its base. */
const prlimit = '/usr/bin/prlimit'
let canMark: boolean | null = null

/** Whether programs that are started here get their mark; elsewhere a variable in their environment has to do. */
export function marksPrograms(): boolean {
  canMark ??= process.platform === 'linux' && isProgram(prlimit)
  return canMark
}

/** The same program, started so that it carries its mark. */
export function marked<Spec extends Pick<ProcessSpec, 'id' | 'argv' | 'cwd' | 'env'>>(spec: Spec): Spec {
  // What cannot be started is left as it is, so that the error names it and not the helper.
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
