import { execFile } from 'node:child_process'
import type { LineMode } from './child'

const NEAR_MS = 1000
/** A connection may have to be made first. */
const FAR_MS = 10_000

/** How a terminal of this machine treats what is typed. Node cannot ask, so `stty` does; callers see to it that this stays rare. */
export function lineModeOf(terminal: string): Promise<LineMode | null> {
  const flag = process.platform === 'linux' ? '-F' : '-f'
  return ask(['stty', '-a', flag, terminal], { PATH: process.env.PATH, LC_ALL: 'C' }, NEAR_MS)
}

/** The same for a terminal elsewhere, by a program that prints what `stty -a` does there. */
export const lineModeBy = (argv: readonly string[], env: Record<string, string>): Promise<LineMode | null> =>
  ask(argv, env, FAR_MS)

/** From what `stty -a` prints. */
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
