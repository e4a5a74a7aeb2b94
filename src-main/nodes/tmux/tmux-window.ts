import { usualTerminalSize } from '../../../src-preload/contract/terminal'
import { withShortArguments } from '../long-arguments'
import type { ProcessSpec } from '../node'
import { quote } from '../shell/remote-shell'
import { ensureSessionScript } from './tmux-session'
import { settingsLine, tmux, unlessSecret } from './tmux-terminal'

/**
 * A process in a tmux window, as shell text for the machine that it runs on. Its raw output goes to a file there, so
 * that a later connection misses nothing; its end is a mark in the same file, after the last byte.
 */
export interface TmuxWindow {
  /** The id of the process. */
  id: string
  session: string
  /** For a session that this installation creates and removes; `undefined` for one that the user has named. */
  owner?: string | undefined
}

/** A private escape sequence, which terminals ignore. The exit code and the last byte of the mark follow. */
export const endMark = (id: string): Buffer => Buffer.from(`\x1b]5379;${id};`)
export const endMarkLast = 0x07

const nameOf = ({ id }: TmuxWindow): string => `p-${id.slice(0, 13)}`
const targetOf = (window: TmuxWindow): string => quote(`=${window.session}:=${nameOf(window)}`)

/** Sets `$d` to the folder of the process: beside the user's other caches, or in /tmp without a home folder. */
const findFolder = ({ id }: TmuxWindow): string =>
  `d=\${XDG_CACHE_HOME:-\${HOME:-/nonexistent}/.cache}/deckhand/${id}; [ -d "$d" ] || d=/tmp/deckhand-$(id -u)/${id}`

const makeFolder = ({ id }: TmuxWindow): string =>
  `umask 077; d=\${XDG_CACHE_HOME:-\${HOME:-/nonexistent}/.cache}/deckhand/${id}; ` +
  `mkdir -p "$d" 2>/dev/null || { d=/tmp/deckhand-$(id -u)/${id}; mkdir -p "$d" && [ -O "\${d%/*}" ]; } || exit`

/** Starts it; prints its pid. */
export function startScript(window: TmuxWindow, spec: ProcessSpec): string {
  const { cols, rows } = spec.tty ?? usualTerminalSize
  const target = targetOf(window)
  const run = [
    ...Object.entries(spec.env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd -- ${quote(spec.cwd)} && {`,
    // Signals to the group are for the program; this shell waits for its end.
    'trap : INT QUIT TERM HUP',
    withShortArguments(spec.argv).map(quote).join(' '),
    '}',
    'code=$?',
    `printf '\\033]5379;%s;%s\\007' ${window.id} "$code"`,
    // tmux may close the terminal of an ended program before it has read everything.
    `n=0; while [ $n -lt 100 ]; do case $(tail -c 64 "\${0%/*}/log" 2>/dev/null) in *"${window.id};$code"*) break ;; esac`,
    'n=$((n+1)); sleep 0.05 2>/dev/null || sleep 1; done',
    '',
  ].join('\n')
  return [
    makeFolder(window),
    `printf %s ${quote(run)} >"$d/run" && : >"$d/log" || exit`,
    ensureSessionScript(window.session, window.owner),
    // One tmux call, so that no output comes before it is recorded. A dead pane stays until everything is recorded.
    `${tmux} new-window -d -t ${quote(`=${window.session}:`)} -n ${nameOf(window)} "exec sh '$d/run'" \\; \\`,
    `  pipe-pane -O -t ${target} "exec cat >>'$d/log'" \\; set-option -w -t ${target} remain-on-exit on \\; \\`,
    `  set-option -w -t ${target} @deckhand_id ${window.id} \\; set-option -w -t ${target} @deckhand_window_pid ${process.pid} \\; \\`,
    `  resize-window -t ${target} -x ${cols} -y ${rows} \\; display-message -p -t ${target} '#{pane_pid}'`,
  ].join('\n')
}

/**
 * Writes the output of the process from `offset` on, until its end or until stdin ends. On stderr it prints `known`, or
 * `unknown` if nothing is left of the process; and `gone` with the signal if it was killed without leaving a mark.
 */
export function followScript(window: TmuxWindow, offset: number): string {
  const target = targetOf(window)
  return [
    `exec 3<&0; ${findFolder(window)}; [ -f "$d/log" ] || { echo unknown >&2; exit 3; }; echo known >&2;`,
    `tail -c +${offset + 1} -f "$d/log" & t=$!;`,
    // If everything was killed at once, it could not write the mark.
    `( while sleep 1; do s=$(${tmux} display-message -p -t ${target} '#{pane_dead} #{pane_dead_signal}' 2>/dev/null);`,
    `case $s in '0 '*) ;; *) sleep 1; echo "gone $s" >&2; kill $t; break ;; esac; done ) 3<&- & w=$!;`,
    '( cat <&3 >/dev/null; kill $t $w ) 2>/dev/null & c=$!;',
    'exec 3<&-; wait $t; kill $w $c 2>/dev/null',
  ].join(' ')
}

/** Ends what is left of the process. */
export const endScript = (window: TmuxWindow): string =>
  `${signalLine(window, 'SIGKILL')} 2>/dev/null; ${forgetScript(window)}`

export const forgetScript = (window: TmuxWindow): string =>
  `${findFolder(window)}; rm -rf "$d"; ${tmux} kill-window -t ${targetOf(window)} 2>/dev/null; :`

/** One line each, for a channel. */
export const keysLine = (window: TmuxWindow, data: Uint8Array): string =>
  `${tmux} send-keys -t ${targetOf(window)} -H ${Buffer.from(data)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ')}`

/** Input from the agent. */
export const agentKeysLine = (window: TmuxWindow, data: Uint8Array): string =>
  unlessSecret(targetOf(window), keysLine(window, data))

export const terminalLine = (window: TmuxWindow): string => settingsLine(targetOf(window))

export const resizeLine = (window: TmuxWindow, cols: number, rows: number): string =>
  `${tmux} resize-window -t ${targetOf(window)} -x ${cols} -y ${rows}`

export const signalLine = (window: TmuxWindow, name: NodeJS.Signals): string =>
  `kill -s ${name.replace(/^SIG/, '')} -- -"$(${tmux} display-message -p -t ${targetOf(window)} '#{pane_pid}')"`
