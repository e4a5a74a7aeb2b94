import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { NodeError } from './node-error'

/**
 * Linux accepts at most 128 KiB for one argument of a program. A longer command is passed to its shell as several
 * arguments, which the shell joins and runs: the command sees no extra file or variable, and its `$0`, arguments and
 * stdin are unchanged.
 */

type Argv = readonly [string, ...string[]]

/** For one argument or variable, including the terminating byte. */
const MAX_STRING = 128 * 1024
/** For all of them together, whatever the stack limit is. */
const MAX_TOTAL = 6 * 1024 * 1024
const PIECE_BYTES = 100_000

const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'busybox'])

export const isTooLong = (text: string): boolean =>
  // A cheap check for almost all texts: a character has at most three bytes here.
  text.length * 3 >= MAX_STRING && Buffer.byteLength(text) >= MAX_STRING

/** The same command in arguments that the system accepts; anything but a shell script stays as it is. */
export function withShortArguments(argv: Argv): Argv {
  const at = argv.findIndex(isTooLong)
  const shell = at === -1 ? null : shellBefore(argv, at)
  if (shell === null) return argv
  const pieces = piecesOf(argv[at] ?? '')
  const joined = pieces.map((_, index) => `\${${index + 1}}`).join('')
  const [name = shell, ...rest] = argv.slice(at + 1)
  const [program, ...before] = argv
  return [program, ...before.slice(0, at - 1), `eval "shift ${pieces.length}; ${joined}"`, name, ...pieces, ...rest]
}

/** The shell whose `-c` comes right before the script: in `bwrap … bash -lc SCRIPT`, bash. */
function shellBefore(argv: Argv, at: number): string | null {
  if (!/^-[a-z]*c$/i.test(argv[at - 1] ?? '')) return null
  let index = at - 1
  while (index > 0 && argv[index]?.startsWith('-')) index--
  const shell = argv[index] ?? ''
  return shells.has(basename(shell)) ? shell : null
}

/** Splits between characters. */
function piecesOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8')
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + PIECE_BYTES, bytes.length)
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces
}

/** Throws with a message that says what is too long: the system would only say "Argument list too long". */
export function requireShort(argv: Argv, env: Readonly<Record<string, string>>): void {
  if (process.platform !== 'linux') return
  const long = argv.findIndex(isTooLong)
  if (long !== -1) {
    throw new NodeError(
      'InvalidArgs',
      `An argument of ${argv[0]} has ${inKilobytes(argv[long] ?? '')}, and the system takes at most 128 kB for one. Put it into a file`,
    )
  }
  let chars = 0
  for (const name in env) {
    const value = env[name] ?? ''
    chars += name.length + value.length + 10
    if (isTooLong(`${name}=${value}`)) {
      throw new NodeError(
        'InvalidArgs',
        `The environment variable ${name} has ${inKilobytes(value)}, and the system takes at most 128 kB for one. Put it into a file`,
      )
    }
  }
  for (const argument of argv) chars += argument.length + 10
  if (chars * 3 < MAX_STRING) return
  const bytes = [...argv, ...Object.entries(env).flat()].reduce((sum, text) => sum + Buffer.byteLength(text) + 10, 0)
  if (bytes < totalLimit()) return
  throw new NodeError(
    'InvalidArgs',
    `The command and its environment have ${Math.round(bytes / 1000)} kB, and the system takes at most ${Math.round(totalLimit() / 1000)} kB. Put the command into a file`,
  )
}

const inKilobytes = (text: string): string => `${Math.round(Buffer.byteLength(text) / 1000)} kB`

/** Linux allows a quarter of the stack limit. */
function totalLimit(): number {
  const stack = Number(/^Max stack size\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1])
  return Math.min(MAX_TOTAL, Number.isNaN(stack) ? MAX_TOTAL : stack / 4) - 4096
}
