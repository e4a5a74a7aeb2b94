import { SecretInputError } from '../node'

/** The terminal behind a tmux pane, as shell text. `target` is a shell word. */

/** `-u`: the content of a pane is UTF-8, whatever the connection's locale is. */
export const tmux = 'tmux -u'

/** Prints the terminal's input settings. */
export const settingsLine = (target: string): string =>
  `LC_ALL=C stty -a <"$(${tmux} display-message -p -t ${target} '#{pane_tty}')"`

/** The exit code of `unlessSecret`, distinct from those of tmux. */
const secretExit = 45

/** Runs `line` unless the program in the pane reads with echo off: then it asks the user for a password. */
export const unlessSecret = (target: string, line: string): string =>
  `case " $(${settingsLine(target)} 2>/dev/null | tr '\\n;' '  ') " in *' -icanon '*) : ;; *' -echo '*) (exit ${secretExit}) ;; esac && { ${line}; }`

export function refuseSecret({ exitCode }: { exitCode: number }): void {
  if (exitCode === secretExit) throw new SecretInputError()
}
