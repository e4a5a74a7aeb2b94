import { win32 } from 'node:path'
import { isCmd, isPowerShell } from '../pty-host/windows/command-line'

/**
 * The shell for commands on Windows: PowerShell 7 if it is installed, otherwise Windows PowerShell; cmd only without
 * both.
 */
export function windowsShell(
  env: Readonly<Record<string, string | undefined>>,
  isThere: (path: string) => boolean,
): string {
  const root = env.SystemRoot ?? 'C:\\Windows'
  const places = [
    ...[env.ProgramFiles ?? 'C:\\Program Files'].map((folder) => win32.join(folder, 'PowerShell', '7', 'pwsh.exe')),
    win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
  ]
  return places.find(isThere) ?? env.ComSpec ?? win32.join(root, 'System32', 'cmd.exe')
}

/** The argv that runs a command in a shell: one of Windows, or one that accepts `-lc`. */
export function shellArgv(shell: string, command: string): [string, ...string[]] {
  if (isPowerShell(shell)) return [shell, '-NoLogo', '-NoProfile', '-EncodedCommand', encodedCommand(command)]
  if (isCmd(shell)) return [shell, '/d', '/s', '/c', command]
  return [shell, '-lc', command]
}

/** The argv of an interactive shell. */
export function terminalArgv(shell: string): [string, ...string[]] {
  if (isPowerShell(shell)) return [shell, '-NoLogo']
  return isCmd(shell) ? [shell] : [shell, '-l']
}

/**
 * The command as base64 of UTF-16, in which PowerShell needs no quoting. Output is UTF-8, and the exit code is that of
 * the last program, which PowerShell would otherwise turn into 0 or 1.
 */
function encodedCommand(command: string): string {
  const script = [
    '[Console]::OutputEncoding = [Text.UTF8Encoding]::new()',
    command,
    '$deckhandDone = $?',
    'if ($deckhandDone) { exit 0 }',
    'if ($LASTEXITCODE) { exit $LASTEXITCODE }',
    'exit 1',
  ].join('\n')
  return Buffer.from(script, 'utf16le').toString('base64')
}
