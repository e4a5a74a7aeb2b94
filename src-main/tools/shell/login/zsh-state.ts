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

/** Variables of the running shell that start-up files do not determine. */
const ofTheShell = new Set(
  `! # $ * - 0 ? @ _ ARGC COLUMNS LINES DECKHAND_PROCESS EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID GID HISTCMD LINENO OLDPWD PPID
  PWD RANDOM SECONDS TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTY TTYIDLE UID USERNAME ZSH_ARGZERO ZSH_EVAL_CONTEXT
  ZSH_EXECUTION_STRING ZSH_NAME ZSH_PATCHLEVEL ZSH_SUBSHELL ZSH_VERSION aliases argv builtins commands dirstack
  dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars dis_reswords dis_saliases
  epochtime errnos funcfiletrace funcsourcetrace funcstack functions functions_source functrace galiases history
  historywords jobdirs jobstates jobtexts keymaps langinfo mapfile modules nameddirs options parameters patchars
  pipestatus reswords saliases signals status sysparams termcap terminfo userdirs usergroups widgets zsh_eval_context
  zsh_scheduled_events __deckhand`.split(/\s+/),
)

/** Variables that zsh has tied to a list from the start; they cannot be tied again. */
const tied = new Map(
  'PATH FPATH CDPATH MANPATH MAILPATH FIGNORE MODULE_PATH PSVAR'.split(' ').map((name) => [name, name.toLowerCase()]),
)
/** Variables that are a second name for the same value. */
const secondNames = new Set('prompt PROMPT PROMPT2 PROMPT3 PROMPT4 histchars'.split(' '))

const asksForItsFile = /funcfiletrace|funcsourcetrace|functions_source|%x/

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

// Options are read first, and modules before accessing `parameters` loads one; the rest is read with zsh's defaults.
const dump = (
  file: string,
): string => `builtin print -rn -- "now"$'\\0'"status"$'\\0'"$?"$'\\0'"now"$'\\0'"last"$'\\0'"$_"$'\\0' >|${quoted(file)} 2>/dev/null
{ builtin print -rn -- "now"$'\\0'"flags"$'\\0'"$-"$'\\0'"now"$'\\0'"name"$'\\0'"$0"$'\\0'"now"$'\\0'"arguments"$'\\0'"$#"$'\\0'"now"$'\\0'"job"$'\\0'"$!"$'\\0'"now"$'\\0'"folder"$'\\0'"$PWD"$'\\0'
builtin print -rn -- "now"$'\\0'"terminal"$'\\0'"$TTY"$'\\0'"set"$'\\0'$'\\0'; builtin set +o
builtin print -rn -- $'\\0'"modules"$'\\0'$'\\0'; builtin zmodload -L
builtin print -rn -- $'\\0'"trap"$'\\0'$'\\0'; builtin trap
builtin emulate zsh -c '
builtin print -rn -- $'\\''\\0'\\''"now"$'\\''\\0'\\''"folders"$'\\''\\0'\\''"\${#dirstack}"
builtin print -rn -- $'\\''\\0'\\''"now"$'\\''\\0'\\''"jobs"$'\\''\\0'\\''; builtin jobs -p
builtin print -rn -- $'\\''\\0'\\''"umask"$'\\''\\0\\0'\\''; builtin umask
builtin print -rn -- $'\\''\\0'\\''"limits"$'\\''\\0'\\''"H"$'\\''\\0'\\''; builtin ulimit -H -a
builtin print -rn -- $'\\''\\0'\\''"limits"$'\\''\\0'\\''"S"$'\\''\\0'\\''; builtin ulimit -S -a
builtin print -rn -- $'\\''\\0'\\''"alias"$'\\''\\0\\0'\\''; builtin alias -L; builtin alias -sL
builtin print -rn -- $'\\''\\0'\\''"named"$'\\''\\0\\0'\\''; builtin hash -dL
builtin print -rn -- $'\\''\\0'\\''"styles"$'\\''\\0\\0'\\''; builtin zstyle -L
builtin print -rn -- $'\\''\\0'\\''"mathematics"$'\\''\\0\\0'\\''; builtin functions -M
builtin print -rn -- $'\\''\\0'\\''
for __deckhand in "\${(@k)parameters}"; do
[[ \${parameters[$__deckhand]} == *hideval* ]] && continue
builtin print -rn -- "variable"$'\\''\\0'\\''"$__deckhand"$'\\''\\0'\\''; builtin typeset -p -- "$__deckhand"; builtin print -rn -- $'\\''\\0'\\''
done
for __deckhand in "\${(@k)functions}"; do
builtin print -rn -- "function"$'\\''\\0'\\''"$__deckhand"$'\\''\\0'\\''; builtin functions -- "$__deckhand"; builtin print -rn -- $'\\''\\0'\\''
done'
builtin print -rn -- "end"$'\\0'$'\\0'$'\\0'; } >>${quoted(file)} 2>/dev/null
builtin trap - EXIT; builtin exit 0`

function compose(before: ShellState, after: ShellState): SnapshotText | null {
  const traps = after.get(keyOf('trap', '')) ?? ''
  if (/ (?:DEBUG|ZERR|ERR)$/m.test(traps)) return null
  if (after.get(keyOf('mathematics', '')) !== before.get(keyOf('mathematics', ''))) return null
  const limits = limitCommands(before, after)
  const variables = variableCommands(before, after)
  const functions = functionCommands(before, after)
  const aliases = changedText(before, after, keyOf('alias', ''))
  const mask = after.get(keyOf('umask', ''))
  if (!limits || !variables || !functions || aliases.join().includes(terminalMark)) return null
  // Functions with these names are traps.
  if ([...ofKind(after, 'function')].some(([name]) => /^TRAP[A-Z]/.test(name))) return null
  const text = [
    'unset ZDOTDIR',
    'setopt globalrcs',
    ...changedLines(before, after, keyOf('modules', '')),
    ...variables,
    ...functions,
    ...changedText(before, after, keyOf('named', '')),
    ...changedText(before, after, keyOf('styles', '')),
    ...(mask === before.get(keyOf('umask', '')) ? [] : [`umask ${mask}`]),
    ...limits,
    ...(aliases.length > 0 ? ["unalias -m '*'", ...aliases] : []),
    ...changedText(before, after, keyOf('trap', '')),
    ...changedLines(before, after, keyOf('set', '')),
    `: ${quoted(after.get(keyOf('now', 'last')) ?? '').replaceAll(terminalMark, `'"$TTY"'`)}`,
    '',
  ]
  return { whole: text.join('\n') }
}

function functionCommands(before: ShellState, after: ShellState): string[] | null {
  const commands: string[] = []
  for (const [name] of ofKind(before, 'function')) {
    if (!after.has(keyOf('function', name))) commands.push(`unfunction -- ${quoted(name)}`)
  }
  for (const [name, text] of ofKind(after, 'function')) {
    if (before.get(keyOf('function', name)) === text) continue
    // A function that asks for its source file would see the snapshot instead.
    if (text.includes(terminalMark) || asksForItsFile.test(text)) return null
    // Autoloaded: its text is read when it is first called.
    const later = /^\t# undefined\n\tbuiltin autoload -X(\w*)$/m.exec(text)
    commands.push(later ? `autoload -${later[1] || 'R'} -- ${quoted(name)}` : text)
  }
  return commands
}

function variableCommands(before: ShellState, after: ShellState): string[] | null {
  const commands: string[] = []
  for (const [name] of ofKind(before, 'variable')) {
    if (!ofTheShell.has(name) && name !== 'ZDOTDIR' && !after.has(keyOf('variable', name)))
      commands.push(`unset ${name}`)
  }
  for (const [name, text] of ofKind(after, 'variable')) {
    const known = before.get(keyOf('variable', name))
    if (ofTheShell.has(name) || secondNames.has(name) || known === text) continue
    const list = tied.get(name)
    if (list !== undefined) {
      const found = /^(export|typeset)((?: -\w+)*) \w+ \w+=(\(.*\))$/s.exec(text)
      if (!found || text.includes(terminalMark)) return null
      commands.push(`${list}=${found[3]}`, `typeset ${found[1] === 'export' ? '-x' : '+x'} ${name}`)
      if (found[2]?.includes('U')) commands.push(`typeset -U ${name} ${list}`)
      continue
    }
    if ([...tied.values()].includes(name) || /^(?:export|typeset) -\w*aT/.test(text)) continue
    if (known !== undefined && !/^(?:HISTSIZE|SAVEHIST|SHLVL|IFS|TERM|LANG|LC_\w+)$/.test(name))
      commands.push(`unset ${name}`)
    if (!text.includes(terminalMark)) commands.push(text)
    else if (text === `export ${name}=${terminalMark}`) commands.push(`export ${name}=$TTY`)
    else return null
  }
  return commands
}

export const zsh: ShellKind = {
  login: ['-lc'],
  instead: ['-lc'],
  // The folder in which zsh looks for its start-up files.
  variables: (snapshot) => ({ ZDOTDIR: snapshot.slice(0, snapshot.lastIndexOf('/')) }),
  dump,
  trace: (shell, file) => ['/bin/sh', '-c', 'exec 2>"$1"; exec "$0" -x -lc :', shell, file],
  compose,
  ofTheShell,
  // zsh prints `case` patterns as `(a | b)` at first and as `(a|b)` after rereading.
  rewritten: (text) => text.replaceAll(' | ', '|'),
  startFiles: ({ HOME = '/', ZDOTDIR = HOME }) => [
    ...['zshenv', 'zprofile', 'zlogin'].flatMap((name) => [join('/etc/zsh', name), join('/etc', name)]),
    ...['.zshenv', '.zprofile', '.zlogin'].flatMap((name) =>
      [...new Set([HOME, ZDOTDIR])].map((folder) => join(folder, name)),
    ),
  ],
}
