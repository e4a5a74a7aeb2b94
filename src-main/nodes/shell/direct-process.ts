import { withShortArguments } from '../long-arguments'
import type { ProcessSpec } from '../node'
import { quote } from './remote-shell'

/**
 * A program at the far end of a connection, as shell text. A file there holds its pid and its terminal while it runs.
 * If the connection is lost when it ends, the file keeps its exit code for a later connection; otherwise it is deleted.
 */
const stateFile = (id: string): string => `/tmp/deckhand-${id}.pid`

export const programFor = ({ id, cwd, env, argv }: ProcessSpec): string =>
  [
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd -- ${quote(cwd)} || exit`,
    `(umask 077; set -C; echo "$$ $(tty)" >${stateFile(id)}) 2>/dev/null`,
    `cut=; trap 'cut=1' HUP; trap : INT QUIT TERM`,
    withShortArguments(argv).map(quote).join(' '),
    'code=$?',
    // Another parent than before means that the connection was lost.
    `read -r s 2>/dev/null </proc/$$/stat && { s=\${s##*) }; s=\${s#* }; [ "\${s%% *}" = "$PPID" ] || cut=1; }`,
    `if [ -n "$cut" ]; then echo "ended $code" >${stateFile(id)}; else rm -f ${stateFile(id)}; fi`,
    'exit $code',
  ].join('; ')

export const settingsScript = (id: string): string => `read -r p t <${stateFile(id)} && LC_ALL=C stty -a <"$t"`

/** Prints `running`, or `ended` and the exit code, or nothing if the program is unknown. */
export const farEndScript = (id: string): string =>
  [
    `read -r p t 2>/dev/null <${stateFile(id)} || exit 0`,
    `[ "$p" != ended ] || { echo "ended $t"; exit 0; }`,
    // It may end between the two checks.
    `kill -0 "$p" 2>/dev/null && { echo running; exit 0; }`,
    `read -r p t <${stateFile(id)} && [ "$p" = ended ] && echo "ended $t"; :`,
  ].join('\n')

export const forgetScript = (id: string): string => `rm -f ${stateFile(id)}`

export const signalScript = (id: string, name: NodeJS.Signals): string => {
  const signal = name.replace(/^SIG/, '')
  // Signals its group if it leads one, otherwise the program below the shell that waits for it.
  return [
    `read -r p t <${stateFile(id)} || exit 0`,
    `kill -s ${signal} -- -"$p" 2>/dev/null && exit`,
    `for s in /proc/[0-9]*/stat; do read -r q c _ r _ <"$s" 2>/dev/null && [ "$r" = "$p" ] && kill -s ${signal} "$q"; done`,
    signal === 'KILL' ? `kill -s KILL "$p"; rm -f ${stateFile(id)}` : ':',
  ].join('\n')
}

/** Removes files left by killed programs; every file names its own process. */
export const clearStaleScript =
  'for f in /tmp/deckhand-*.pid; do [ -O "$f" ] && read -r p t <"$f" && [ "$p" != ended ] && ! kill -0 "$p" 2>/dev/null && rm -f "$f"; done 2>/dev/null; :'
