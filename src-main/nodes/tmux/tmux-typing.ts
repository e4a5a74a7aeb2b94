import { quote } from '../shell/remote-shell'
import { tmux } from './tmux-terminal'

/** Typing into a tmux pane, as shell text without line breaks. A `target` is a shell word. */

/** A shell discards what is typed while it handles one of these. */
const interrupts = new Set(['C-c', '^C', 'C-\\', '^\\'])
export const isInterrupt = (key: string): boolean => interrupts.has(key)

const looks = 15
const restingLooks = 4
/** The pause between two keys. Not every `sleep` supports fractions of a second. */
const moment = '{ sleep 0.04 2>/dev/null || sleep 1; }'
/** The key that clears a line, as text. */
export const clearLine = '\x15'

/**
 * Leaves `$m` empty if the line was typed, sets it to `busy` and the pane's number if a program other than a shell
 * would read it, and to tmux's message if there is no pane.
 */
export function typeIfIdle(target: string, line: string, type: (target: string) => string = typeAtOnce): string {
  const named = '#{m/r:^-?(ba|z|da|a|fi|k|mk|tc|c|)sh$,#{pane_current_command}}'
  const idle = `#{||:${named},#{==:#{pane_current_command},#{b:default-shell}}}`
  const busyOr = `if-shell -F -t ${target} ${quote(idle)} '' ${quote(`display-message -p -t ${target} 'busy#{pane_id}'`)}`
  return (
    `T=${tmuxText(line)}; m=$(${tmux} ${busyOr} 2>&1 </dev/null); ` +
    `[ -n "$m" ] || m=$({ ${type(target)}; } 2>&1 </dev/null)`
  )
}

/** Types the content of `$T`, and Enter. */
const typeAtOnce = (target: string): string =>
  `${tmux} send-keys -t ${target} -l -- "$T" \\; send-keys -t ${target} Enter`

/**
 * The same, after the shell has handled what came before, such as an interrupt. The shell has to be found idle several
 * times in a row, since on a busy machine a key may take a while to arrive.
 */
export const typeAtRest = (target: string): string =>
  `n=0 r=0; while [ $n -lt ${looks} ]; do n=$((n+1)); if ${rests(target)}; then r=$((r+1)); else r=0; fi; ` +
  `[ $r -lt ${restingLooks} ] || break; ${moment}; done; ${typeAtOnce(target)}`

/** Keys by name. After an interrupt it waits, with a limit, until the pane has reacted and its program is idle. */
export function keysAt(target: string, keys: readonly string[]): string {
  const send = `${tmux} send-keys -t ${target} -- ${keys.map(quote).join(' ')}`
  if (!keys.some(isInterrupt)) return send
  const state = `$(${tmux} display-message -p -t ${target} '#{history_size} #{cursor_y} #{cursor_x}')`
  const calm = `a=${state}; [ "$a" != "$b" ] && [ "$a" = "$c" ] && ${rests(target)} && break; c=$a`
  return `b=${state}; ${send} && { n=0 c=; while [ $n -lt ${looks} ]; do n=$((n+1)); ${moment}; ${calm}; done; :; }`
}

/**
 * Succeeds if the program that reads from the pane sleeps and has no pending signal: then it has cleaned up and waits
 * for keys. Only Linux can tell; on other systems it always succeeds.
 */
function rests(target: string): string {
  const pending = 'while read -r k v; do case $k in ???Pnd:) printf %s "$v" ;; esac; done <"/proc/$6/status"'
  return (
    `{ p=$(${tmux} display-message -p -t ${target} '#{pane_pid}'); [ ! -r "/proc/$p/stat" ] || ` +
    // After the name in brackets: state, parent, group, session, terminal, and the terminal's foreground group.
    `{ read -r s <"/proc/$p/stat"; set -- \${s##*) }; read -r s <"/proc/$6/stat"; ` +
    `case \${s##*) }/$(${pending}) in S*/*[!0]*) false ;; S*) : ;; *) false ;; esac; }; } 2>/dev/null`
  )
}

/** For `printf %b`: a shell word without line breaks, since a channel reads line by line. */
export const escaped = (text: string): string =>
  quote(text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r'))

/** An argument of tmux as a shell word; a semicolon at its end would start another command. */
export function tmuxText(text: string): string {
  const safe = text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text
  return /[\n\r]/.test(safe) ? `$(printf '%b_' ${escaped(safe)}); T=\${T%_}` : quote(safe)
}
