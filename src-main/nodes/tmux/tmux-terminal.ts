import { SecretInputError } from '../node'

/** The terminal behind a pane of tmux, as shell text. `target` is a shell word. */

/** `-u`: what a pane holds is UTF-8, whatever the connection's locale says. */
export const tmux = 'tmux -u'

/** Prints how it treats what is typed. */
export const settingsLine = (target: string): string =>
  `LC_ALL=C stty -a <"$(${tmux} display-message -p -t ${target} '#{pane_tty}')"`

/** Of `unlessSecret`, beyond the codes of tmux. */
const secretExit = 45

/** Does it unless the program in the pane reads a line without showing it: a password, which is between it and the user. */
export const unlessSecret = (target: string, line: string): string =>
  `case " $(${settingsLine(target)} 2>/dev/null | tr '\\n;' '  ') " in *' -icanon '*) : ;; *' -echo '*) (exit ${secretExit}) ;; esac && { ${line}; }`

export function refuseSecret({ exitCode }: { exitCode: number }): void {
  if (exitCode === secretExit) throw new SecretInputError()
}
