import { join } from 'node:path'
import {
  changedLines,
  changedText,
  keyOf,
  limitCommands,
  ofKind,
  type ShellKind,
  type ShellState,
  type SnapshotText,
  terminalMark,
} from './shell-kind'

/** Variables of the running shell that start-up files do not determine. COLUMNS and LINES come from the terminal. */
const ofTheShell = new Set(
  `_ BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_EXECUTION_STRING BASH_LINENO
  BASH_MONOSECONDS BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO BASH_VERSION COLUMNS LINES DECKHAND_PROCESS DIRSTACK EPOCHREALTIME
  EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD LINENO PIPESTATUS PPID PWD RANDOM SECONDS SHELLOPTS SRANDOM UID __deckhand`.split(
    /\s+/,
  ),
)

/** Below this many characters, reading all functions is cheaper than finding out whether a command needs them. */
const manyFunctions = 16_000

/** Options that change how the following text is parsed: functions need the first kind, all others would break them. */
const readingOptions = /^shopt -[su] extglob$/

/** Such a function would see the snapshot as its source file. */
const asksForItsFile = /\bBASH_SOURCE\b|\bcaller\b|\bextdebug\b/

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

// `builtin` everywhere: a user's function may have the same name as a builtin.
const dump = (file: string): string => `{ builtin printf 'now\\0status\\0%s\\0now\\0last\\0%s\\0' "$?" "$_"
builtin printf 'now\\0flags\\0%s\\0now\\0name\\0%s\\0now\\0arguments\\0%s\\0now\\0job\\0%s\\0now\\0folder\\0%s\\0' "$-" "$0" "$#" "\${!-}" "$PWD"
builtin printf 'now\\0terminal\\0'; command tty
builtin printf '\\0now\\0jobs\\0'; builtin jobs -p
builtin printf '\\0now\\0folders\\0%s' "\${#DIRSTACK[@]}"
builtin printf '\\0set\\0\\0'; builtin set +o
builtin printf '\\0shopt\\0\\0'; builtin shopt -p
builtin printf '\\0trap\\0\\0'; builtin trap -p
builtin printf '\\0umask\\0\\0'; builtin umask -p
builtin printf '\\0limits\\0H\\0'; builtin ulimit -H -a
builtin printf '\\0limits\\0S\\0'; builtin ulimit -S -a
builtin printf '\\0alias\\0\\0'; builtin alias -p
builtin printf '\\0complete\\0\\0'; builtin complete -p
builtin printf '\\0attributes\\0\\0'; builtin declare -F
builtin printf '\\0'
while IFS= builtin read -r __deckhand; do
builtin printf 'variable\\0%s\\0' "$__deckhand"; builtin declare -p "$__deckhand"; builtin printf '\\0'
done < <(builtin compgen -v)
while IFS= builtin read -r __deckhand; do
builtin printf 'function\\0%s\\0' "$__deckhand"; builtin declare -f "$__deckhand"; builtin printf '\\0'
done < <(builtin compgen -A function)
builtin printf 'end\\0\\0\\0'; } >|${quoted(file)} 2>/dev/null
builtin trap - EXIT; builtin exit 0`

function compose(before: ShellState, after: ShellState): SnapshotText | null {
  const traps = after.get(keyOf('trap', '')) ?? ''
  // These traps would run for the commands of the snapshot itself.
  if (/ (?:DEBUG|ERR|RETURN)$/m.test(traps)) return null
  const limits = limitCommands(before, after)
  const variables = variableCommands(before, after)
  if (!limits || !variables) return null
  const functions = [...ofKind(after, 'function')].filter(
    ([name, text]) => before.get(keyOf('function', name)) !== text,
  )
  // Functions that came from the environment and no longer exist.
  const gone = [...ofKind(before, 'function')].filter(([name]) => !after.has(keyOf('function', name)))
  const options = [...changedLines(before, after, keyOf('shopt', '')), ...changedLines(before, after, keyOf('set', ''))]
  const aliases = changedText(before, after, keyOf('alias', ''))
  if (
    functions.some(([, text]) => text.includes(terminalMark) || asksForItsFile.test(text)) ||
    aliases.join().includes(terminalMark)
  )
    return null
  const attributes = changedLines(before, after, keyOf('attributes', '')).filter(
    (line) => !line.startsWith('declare -f '),
  )
  const exported = new Set(
    attributes.filter((line) => /^declare -f\w*x/.test(line)).map((line) => line.split(' ').at(-1)),
  )
  const status = after.get(keyOf('now', 'status')) ?? '0'
  const last = quoted(after.get(keyOf('now', 'last')) ?? '').replaceAll(terminalMark, `'"$(tty)"'`)

  const head = ['unset -v BASH_ENV', ...options.filter((line) => readingOptions.test(line)), ...variables]
  const middle = gone.map(([name]) => `unset -f ${quoted(name)}`)
  const tail = [
    // When a program ends, the shell updates the size of its terminal.
    ...(after.has(keyOf('variable', 'COLUMNS')) && !before.has(keyOf('variable', 'COLUMNS')) ? ['( : )'] : []),
    ...changedText(before, after, keyOf('complete', '')),
    ...changedLines(before, after, keyOf('umask', '')),
    ...limits,
    ...aliases,
    ...changedText(before, after, keyOf('trap', '')),
    ...options.filter((line) => !readingOptions.test(line)),
    // Sets `$?` and `$_` for the start of the command.
    status === '0'
      ? `: ${last}`
      : `__deckhand() { unset -f __deckhand; return ${Number(status)}; }\n__deckhand ${last}`,
  ]
  const text = (which: typeof functions, marks: string[]) =>
    [...head, ...middle, ...which.map(([, body]) => body), ...marks, ...tail, ''].join('\n')
  const whole = text(functions, attributes)
  const length = functions.reduce((sum, [, body]) => sum + body.length, 0)
  // Traps, aliases and the handler for unknown commands may call functions that the command does not name; and function
  // names with other characters are not found as words in the command.
  const expands = aliases.length > 0 && /^shopt -s expand_aliases$/m.test(after.get(keyOf('shopt', '')) ?? '')
  const names = functions.map(([name]) => name)
  const mayBeCalled =
    traps !== '' ||
    expands ||
    names.includes('command_not_found_handle') ||
    !names.every((name) => /^[\w.:+@%-]+$/.test(name))
  if (length < manyFunctions || mayBeCalled) return { whole }
  const marks = attributes.filter((line) => exported.has(line.split(' ').at(-1)))
  return {
    whole,
    slim: {
      text: text(
        functions.filter(([name]) => exported.has(name)),
        marks,
      ),
      functions: names.filter((name) => !exported.has(name)),
    },
  }
}

function variableCommands(before: ShellState, after: ShellState): string[] | null {
  const commands: string[] = []
  for (const [name] of ofKind(before, 'variable')) {
    if (!ofTheShell.has(name) && name !== 'BASH_ENV' && !after.has(keyOf('variable', name)))
      commands.push(`unset -v ${name}`)
  }
  for (const [name, text] of ofKind(after, 'variable')) {
    const known = before.get(keyOf('variable', name))
    if (ofTheShell.has(name) || known === text) continue
    // A declaration only adds attributes to a variable; it does not remove any.
    if (known !== undefined) commands.push(`unset -v ${name}`)
    if (!text.includes(terminalMark)) commands.push(text)
    else if (text === `declare -x ${name}="${terminalMark}"`) commands.push(`declare -x ${name}="$(tty)"`)
    else return null
  }
  return commands
}

export const bash: ShellKind = {
  login: ['-lc'],
  instead: ['--noprofile', '-lc'],
  variables: (snapshot) => ({ BASH_ENV: snapshot }),
  dump,
  trace: (shell, file) => [
    shell,
    ...['--noprofile', '--norc', '-c', 'exec 19>"$1" && BASH_XTRACEFD=19 exec "$0" -x -lc :', shell, file],
  ],
  compose,
  ofTheShell,
  startFiles: ({ HOME = '/', BASH_ENV = '' }) => [
    ...['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/environment'],
    ...['.bash_profile', '.bash_login', '.profile', '.bashrc'].map((name) => join(HOME, name)),
    ...(BASH_ENV.startsWith('/') ? [BASH_ENV] : []),
  ],
}
