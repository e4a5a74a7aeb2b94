import { withShortArguments } from '../long-arguments'
import type { ProcessSpec } from '../node'
import { quote } from './remote-shell'

/**
 * A program at the far end of a connection, as shell text. A file there holds its pid and its terminal while it runs.
 * If the connection is lost when it ends, the file keeps its exit code for a later connection; otherwise it is deleted.
 */
const stateFile = (id: string): string => `/tmp/deckhand-${id}.pid`

/** Who may come back for an exit code: an installation, and the process of it that has started the program. */
interface Starter {
  owner: string
  pid: number
}

export const programFor = ({ id, cwd, env, argv }: ProcessSpec, { owner, pid }: Starter): string =>
  [
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd -- ${quote(cwd)} || exit`,
    `(umask 077; set -C; echo "$$ $(tty)" >${stateFile(id)}) 2>/dev/null`,
    `cut=; trap 'cut=1' HUP; trap : INT QUIT TERM`,
    withShortArguments(argv).map(quote).join(' '),
    'code=$?',
    // Another parent than before means that the connection was lost.
    `read -r s 2>/dev/null </proc/$$/stat && { s=\${s##*) }; s=\${s#* }; [ "\${s%% *}" = "$PPID" ] || cut=1; }`,
    // A file that was removed meanwhile means that nobody will ask.
    `if [ -z "$cut" ]; then rm -f ${stateFile(id)}; elif [ -e ${stateFile(id)} ]; then echo "ended $code ${owner} ${pid}" >${stateFile(id)}; fi`,
    'exit $code',
  ].join('; ')

export const settingsScript = (id: string): string => `read -r p t <${stateFile(id)} && LC_ALL=C stty -a <"$t"`

/** Prints `running`, or `ended` and the exit code, or nothing if the program is unknown. */
export const farEndScript = (id: string): string =>
  [
    `read -r p t _ 2>/dev/null <${stateFile(id)} || exit 0`,
    `[ "$p" != ended ] || { echo "ended $t"; exit 0; }`,
    // It may end between the two checks.
    `kill -0 "$p" 2>/dev/null && { echo running; exit 0; }`,
    `read -r p t _ <${stateFile(id)} && [ "$p" = ended ] && echo "ended $t"; :`,
  ].join('\n')

export const forgetScript = (...ids: string[]): string => `rm -f ${ids.map(stateFile).join(' ')}`

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

/**
 * Removes files left by killed programs, since every file names its own process, and exit codes that nobody came back
 * for within a week. Prints the exit codes of this installation that are left: an id and the process that started it.
 */
export const clearStaleScript = (owner: string): string =>
  `{
find /tmp/deckhand-*.pid -prune -type f -mtime +7 -exec grep -q '^ended ' {} \\; -exec rm -f {} \\;
for f in /tmp/deckhand-*.pid; do
  [ -O "$f" ] && read -r p t o s <"$f" || continue
  if [ "$p" != ended ]; then kill -0 "$p" || rm -f "$f"; continue; fi
  [ "$o" != ${quote(owner)} ] || { f=\${f#/tmp/deckhand-}; echo "left \${f%.pid} $s"; }
done
} 2>/dev/null; :`

/** What `clearStaleScript` has printed. */
export const leftIn = (text: string): { id: string; pid: number }[] =>
  [...text.matchAll(/^left ([\w-]+) (\d+)$/gm)].map(([, id = '', pid]) => ({ id, pid: Number(pid) }))
