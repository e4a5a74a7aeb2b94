/**
 * The state of a shell after its start, as the shell itself prints it: the text of each variable, function, alias and
 * option, by kind and name. The texts are shell commands that restore the state, quoted by the shell.
 */
export type ShellState = ReadonlyMap<string, string>

/** A shell whose state can be read and restored. */
export interface ShellKind {
  /** The arguments of a login shell that reads its start-up files. */
  readonly login: readonly string[]
  /** The same, but it reads one file instead; `variables` point to it. */
  readonly instead: readonly string[]
  variables(snapshot: string): Record<string, string>
  /** A command that writes the state into `file`, without other visible effects. */
  dump(file: string): string
  /** A login shell that logs every command of its start-up files to `file`. */
  trace(shell: string, file: string): readonly [string, ...string[]]
  /** The content of a file that turns `before` into `after`; null if no file can. */
  compose(before: ShellState, after: ShellState): SnapshotText | null
  /** Variables of the running shell that start-up files do not determine. */
  readonly ofTheShell: ReadonlySet<string>
  /** A function's text as the shell prints it after reading it a second time. */
  rewritten?(text: string): string
  /** Files that the shell reads at its start, whether or not they exist. */
  startFiles(env: Readonly<Record<string, string>>): string[]
}

export interface SnapshotText {
  /** Restores everything. */
  whole: string
  /** Leaves out the functions if reading them takes long; for commands that use none of them. */
  slim?: { text: string; functions: readonly string[] }
}

/** In a state's text, stands for the terminal that the shell ran in, which differs for each command. */
export const terminalMark = '\u0001terminal\u0001'

export const keyOf = (kind: string, name: string): string => `${kind}\0${name}`

/** Names and texts of one kind. */
export function* ofKind(state: ShellState, kind: string): Generator<[name: string, text: string]> {
  for (const [key, text] of state) if (key.startsWith(`${kind}\0`)) yield [key.slice(kind.length + 1), text]
}

/** Parses a dump: kind, name and text in turn, each followed by NUL. Null if it is incomplete. */
export function readState(dumped: string): ShellState | null {
  const fields = dumped.split('\0')
  if (fields.length < 4 || fields.length % 3 !== 1 || fields.at(-4) !== 'end') return null
  const state = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    state.set(keyOf(fields[at] ?? '', fields[at + 1] ?? ''), (fields[at + 2] ?? '').replace(/\n$/, ''))
  }
  for (const which of ['H', 'S']) {
    // Linux has ignored the limit of file locks for decades, and some kernels return another number each time.
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

/** The text of `after` if it differs from `before`; its commands may span several lines. */
export function changedText(before: ShellState, after: ShellState, key: string): string[] {
  const text = after.get(key) ?? ''
  return text === '' || text === before.get(key) ? [] : [text]
}

/** Limits by their option letter, as in `open files (-n) 1024` or `-n: file descriptors 1024`. */
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
