import { execFile } from 'node:child_process'
import type { LineMode } from './child'

const NEAR_MS = 1000
/** The connection may have to be opened first. */
const FAR_MS = 10_000

/** The input settings of a local terminal. Node cannot read them, so this runs `stty`; callers must keep that rare. */
export function lineModeOf(terminal: string): Promise<LineMode | null> {
  const flag = process.platform === 'linux' ? '-F' : '-f'
  return ask(['stty', '-a', flag, terminal], { PATH: process.env.PATH, LC_ALL: 'C' }, NEAR_MS)
}

/** The same for a terminal elsewhere, with a program that prints the output of `stty -a` there. */
export const lineModeBy = (argv: readonly string[], env: Record<string, string>): Promise<LineMode | null> =>
  ask(argv, env, FAR_MS)

/** Parses the output of `stty -a`. */
export const readLineMode = (settings: string): LineMode => ({
  echo: !/(^|\s)-echo\b/.test(settings),
  canonical: !/(^|\s)-icanon\b/.test(settings),
})

function ask([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, timeout: number) {
  return new Promise<LineMode | null>((resolve) => {
    execFile(file, args, { timeout, killSignal: 'SIGKILL', env }, (error, out) =>
      resolve(error ? null : readLineMode(out)),
    )
  })
}
