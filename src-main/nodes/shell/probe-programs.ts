import { quote, type RemoteShell, runScript } from './remote-shell'

/** Which of these programs a login shell there would find. Throws `NodeError`. */
export async function probePrograms(
  there: RemoteShell,
  loginShell: string,
  programs: readonly string[],
  timeoutMs: number,
): Promise<Record<string, boolean>> {
  const look = programs.map((name) => `command -v ${quote(name)} >/dev/null 2>&1 && echo ${quote(name)}`).join('\n')
  const { stdout } = await runScript(there, `${quote(loginShell)} -lc ${quote(`${look}\n:`)}`, { timeoutMs })
  const found = new Set(stdout.toString().split('\n'))
  return Object.fromEntries(programs.map((name) => [name, found.has(name)]))
}
