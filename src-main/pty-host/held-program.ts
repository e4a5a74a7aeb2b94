import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { makeGroup } from './control-group'
import type { ProcessSpec } from './process'
import { markOf } from './process-mark'

/** From util-linux, which is in the base system of every common distribution. */
const prlimit = '/usr/bin/prlimit'
let canMark: boolean | null = null

/** Whether programs started here get a mark; on other systems an environment variable is used. */
export function marksPrograms(): boolean {
  canMark ??= process.platform === 'linux' && isProgram(prlimit)
  return canMark
}

/** The shell enters the group and becomes the program. */
const enterGroup = '{ echo 0 >"$0"; } 2>/dev/null; exec "$@"'

/** The same program, started with its mark and in its own control group. The fork server does both by itself. */
export function held<Spec extends Pick<ProcessSpec, 'id' | 'argv' | 'cwd' | 'env'>>(spec: Spec): Spec {
  // A program that cannot be started is not wrapped, so that the error names it and not the helper.
  if (!marksPrograms() || !canStart(spec)) return spec
  const argv = [prlimit, `--locks=${markOf(spec.id)}:`, '--', ...spec.argv] as const
  const members = makeGroup(spec.id)
  return { ...spec, argv: members === null ? argv : ['/bin/sh', '-c', enterGroup, members, ...argv] }
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
