const SECRET_NAME = /(_|^)(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i
/** Our variables and Electron's: they would make a program started from here behave as part of the app. */
const OURS = /^(DECKHAND_|ELECTRON_|CHROME_DESKTOP$|NODE_OPTIONS$|VITE_|VITEST)/
/** The terminal that the app itself was started from. */
const OUTER_TERMINAL = /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION)$/

const PAGERS = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat' }
const FIXED = { TERM: 'xterm-256color', COLORTERM: 'truecolor', ...PAGERS }

/** The name of the variable by which a process started by the app is recognised after a crash. */
export const PROCESS_MARKER = 'DECKHAND_PROCESS'

type Env = Readonly<Record<string, string | undefined>>

/** Variables that a provider reads its key from, whatever they are called. */
const keyVariables = new Set<string>()

/** From now on no command gets this variable. */
export const withholdVariable = (name: string): void => void keyVariables.add(name)

/** Changes when a variable was withheld, for whoever keeps an environment. */
export const withheldVariables = (): number => keyVariables.size

const isSecret = (name: string): boolean => SECRET_NAME.test(name) || keyVariables.has(name)

const without = (base: Env, isLeftOut: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined && !isLeftOut(entry[0])),
  )

const isOurs = (name: string): boolean => OURS.test(name) || OUTER_TERMINAL.test(name)

/**
 * The environment of a hosted agent: the user's own, including the keys that it signs in with, without what belongs to
 * the app.
 */
export const agentEnv = (base: Env, extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...without(base, isOurs),
  ...extra,
})

/** The environment of a command: the user's own, without secrets and without what belongs to the app. */
export const commandEnv = (base: Env, extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...without(base, (name) => isSecret(name) || isOurs(name)),
  ...FIXED,
  ...extra,
})

/**
 * A command for a terminal of the program that started this one. It inherits that program's variables, so those that
 * commands must not get are removed by name.
 */
export function inheritingCommand(
  base: Readonly<Record<string, string | undefined>>,
  argv: readonly [string, ...string[]],
  extra: Readonly<Record<string, string>>,
): { argv: [string, ...string[]]; env: Record<string, string> } {
  const withheld = Object.keys(base).filter((name) => isSecret(name) || OURS.test(name))
  const without = withheld.filter((name) => !Object.hasOwn(extra, name)).flatMap((name) => ['-u', name])
  return { argv: without.length > 0 ? ['env', ...without, ...argv] : [...argv], env: { ...PAGERS, ...extra } }
}
