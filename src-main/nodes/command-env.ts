const SECRET_NAME = /(_|^)(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i
/** Our variables and Electron's: they would make a program started from here behave as part of the app. */
const OURS = /^(DECKHAND_|ELECTRON_|CHROME_DESKTOP$|NODE_OPTIONS$|VITE_|VITEST)/
/** The terminal that the app itself was started from. */
const OUTER_TERMINAL = /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION)$/

const FIXED = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
}

/** The name of the variable by which a process started by the app is recognised after a crash. */
export const PROCESS_MARKER = 'DECKHAND_PROCESS'

/**
 * The environment of an agent of another maker: the user's own, with the keys that it signs in with, and without what
 * belongs to the app.
 */
export function agentEnv(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || OURS.test(name) || OUTER_TERMINAL.test(name)) continue
    env[name] = value
  }
  return { ...env, ...extra }
}

/** The environment of a command: the user's own, without secrets and without what belongs to the app. */
export function commandEnv(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || SECRET_NAME.test(name) || OURS.test(name) || OUTER_TERMINAL.test(name)) continue
    env[name] = value
  }
  return { ...env, ...FIXED, ...extra }
}
