import { execFile } from 'node:child_process'
import { basename } from 'node:path'

type Variables = ReadonlyMap<string, string>

/** Everything but exported variables that start-up files can leave behind for a command, and then the variables. */
const inspect = `declare -F; alias; set +o; shopt -p; trap; umask; ulimit -a; compgen -v | LC_ALL=C sort
printf '\\0\\0'; env -0`

const patienceMs = 20_000
/** They differ from one shell to the next, whatever its files say. */
const ownAffairs = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD'])

/**
 * What a shell's login files add to the environment, if that is all they do: then a shell that is given these variables
 * and does not read the files is the same to any command. Null where they also define functions or aliases, set options or
 * take variables away, where they say something else each time, and for shells that cannot be asked.
 */
export async function learnLogin(
  shell: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string> | null> {
  if (basename(shell) !== 'bash') return null
  const plain = await look(shell, ['--noprofile', '-lc'], env)
  const login = await look(shell, ['-lc'], env)
  const again = await look(shell, ['-lc'], env)
  if (!plain || !login || !again) return null
  if (login.rest !== plain.rest || !isSame(login.variables, again.variables)) return null
  if ([...plain.variables.keys()].some((name) => !login.variables.has(name))) return null
  const added = [...login.variables].filter(([name, value]) => plain.variables.get(name) !== value)
  // It names a file that would be read now and would not have been by a login shell.
  if (added.some(([name]) => name === 'BASH_ENV' || name === 'ENV')) return null
  return Object.fromEntries(added)
}

function look(
  shell: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ rest: string; variables: Variables } | null> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, cwd: '/', timeout: patienceMs, killSignal: 'SIGKILL' } as const
    const child = execFile(shell, [...flags, inspect], options, (error, out) => resolve(error ? null : parse(out)))
    child.stdin?.end()
    child.unref()
  })
}

function parse(out: string): { rest: string; variables: Variables } | null {
  const end = out.lastIndexOf('\0\0', out.length - 2)
  if (end === -1) return null
  const pairs = out
    .slice(end + 2)
    .split('\0')
    .filter(Boolean)
  const variables = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
  for (const name of ownAffairs) variables.delete(name)
  // The names of all variables are among the rest, to see those that are not exported.
  const rest = out.slice(0, end).split('\n')
  return { rest: rest.filter((line) => !variables.has(line)).join('\n'), variables }
}

const isSame = (some: Variables, others: Variables): boolean =>
  some.size === others.size && [...some].every(([name, value]) => others.get(name) === value)
