import { expect, it } from 'vitest'
import { shellArgv, terminalArgv, windowsShell } from './windows-shell'

const env = { SystemRoot: 'C:\\Windows', ProgramFiles: 'D:\\Programs', ComSpec: 'C:\\Windows\\system32\\cmd.exe' }
const old = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'

it('takes the newest PowerShell, and cmd only without one', () => {
  expect(windowsShell(env, () => true)).toBe('D:\\Programs\\PowerShell\\7\\pwsh.exe')
  expect(windowsShell(env, (path) => path === old)).toBe(old)
  expect(windowsShell(env, () => false)).toBe(env.ComSpec)
  expect(windowsShell({}, () => false)).toBe('C:\\Windows\\System32\\cmd.exe')
})

it('hands a command over as it is, whatever is in it', () => {
  const command = `Write-Output "a 'b' $x" # ünï\n@'\n"\n'@`
  const [shell, ...args] = shellArgv('pwsh.exe', command)
  expect([shell, ...args.slice(0, -1)]).toEqual(['pwsh.exe', '-NoLogo', '-NoProfile', '-EncodedCommand'])
  const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le')
  // On a line of its own: a comment at its end must not swallow what follows.
  expect(script.split(`\n${command}\n`)).toHaveLength(2)
  expect(shellArgv('C:\\Windows\\system32\\CMD.EXE', 'dir "C:\\x y" & echo %PATH%')).toEqual([
    'C:\\Windows\\system32\\CMD.EXE',
    '/d',
    '/s',
    '/c',
    'dir "C:\\x y" & echo %PATH%',
  ])
  expect(shellArgv('/bin/zsh', 'ls')).toEqual(['/bin/zsh', '-lc', 'ls'])
})

it('opens a shell for a person', () => {
  expect([terminalArgv('cmd.exe'), terminalArgv('pwsh'), terminalArgv('/bin/bash')]).toEqual([
    ['cmd.exe'],
    ['pwsh', '-NoLogo'],
    ['/bin/bash', '-l'],
  ])
})
