/**
 * What a shell holds after its start, as it says so itself: the text of each variable, function, alias and option, by kind
 * and name. Texts are commands of the shell that make the same again, quoted by the shell.
 */
export type ShellState = ReadonlyMap<string, string>

/** A shell whose state can be asked for and made again. */
export interface ShellKind {
  /** The arguments of a login shell that reads its files. */
  readonly login: readonly string[]
  /** The same, but it reads one file instead; `variables` lead it there. */
  readonly instead: readonly string[]
  variables(snapshot: string): Record<string, string>
  /** A command that writes the state into `file`, and does nothing else that can be seen. */
  dump(file: string): string
  /** A login shell that writes every command of its files into `file`. */
  trace(shell: string, file: string): readonly [string, ...string[]]
  /** What a file must hold to make `after` of `before`; null where no file can. */
  compose(before: ShellState, after: ShellState): SnapshotText | null
  /** Variables that belong to the running shell, whatever its files say. */
  readonly ofTheShell: ReadonlySet<string>
  /** A function's text as the shell writes it after it has read it once more. */
  rewritten?(text: string): string
  /** Files that the shell reads at its start, whether or not they are there. */
  startFiles(env: Readonly<Record<string, string>>): string[]
}

export interface SnapshotText {
  /** Makes everything. */
  whole: string
  /** Leaves out the functions, where reading them takes long; for commands that use none of them. */
  slim?: { text: string; functions: readonly string[] }
}

/** In a text of a state, the terminal that the shell ran in, which is another for each command. */
export const terminalMark = '\u0001terminal\u0001'

export const keyOf = (kind: string, name: string): string => `${kind}\0${name}`

/** Names and texts of one kind. */
export function* ofKind(state: ShellState, kind: string): Generator<[name: string, text: string]> {
  for (const [key, text] of state) if (key.startsWith(`${kind}\0`)) yield [key.slice(kind.length + 1), text]
}

/** A state as a dump writes it: kind, name and text in turns, each with NUL behind it. Null where it is not whole. */
export function readState(dumped: string): ShellState | null {
  const fields = dumped.split('\0')
  if (fields.length < 4 || fields.length % 3 !== 1 || fields.at(-4) !== 'end') return null
  const state = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    state.set(keyOf(fields[at] ?? '', fields[at + 1] ?? ''), (fields[at + 2] ?? '').replace(/\n$/, ''))
  }
  for (const which of ['H', 'S']) {
    // Linux has not heeded the limit of file locks for decades, and some kernels give another number each time.
    const limits = state.get(keyOf('limits', which)) ?? ''
    state.set(keyOf('limits', which), limits.replace(/^(?:.*\(-x\)|-x:).*\n?/m, ''))
  }
  const terminal = state.get(keyOf('now', 'terminal')) ?? ''
  if (!terminal.startsWith('/dev/')) return null
  const anywhere = new RegExp(`${terminal.replaceAll(/[^\w/]/g, '\\$&')}(?!\\d)`, 'g')
  return new Map([...state].map(([key, text]) => [key, text.replaceAll(anywhere, terminalMark)]))
}

/** Lines of `after` that are not in `before`, each a command that sets something. */
export function changedLines(before: ShellState, after: ShellState, key: string): string[] {
  const known = new Set((before.get(key) ?? '').split('\n'))
  return (after.get(key) ?? '').split('\n').filter((line) => line !== '' && !known.has(line))
}

/** The text of `after`, whose commands may be of several lines, where it is not that of `before`. */
export function changedText(before: ShellState, after: ShellState, key: string): string[] {
  const text = after.get(key) ?? ''
  return text === '' || text === before.get(key) ? [] : [text]
}

/** Limits by the letter that names them, such as `open files (-n) 1024` or `-n: file descriptors 1024`. */
export function limitCommands(before: ShellState, after: ShellState): string[] | null {
  const commands: string[] = []
  for (const which of ['H', 'S']) {
    for (const line of changedLines(before, after, keyOf('limits', which))) {
      const letter = /\(.*-(\w)\)/.exec(line)?.[1] ?? /^-(\w):/.exec(line)?.[1]
      const value = /(\S+)$/.exec(line)?.[1]
      if (letter === undefined || value === undefined || !/^(?:\d+|unlimited)$/.test(value)) return null
      commands.push(`ulimit -${which} -${letter} ${value}`)
    }
  }
  return commands
}
