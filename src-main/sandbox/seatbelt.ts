import type { Argv, Cage } from './cage'

/**
 * The same cage with the means of macOS. UNTESTED: written without access to a Mac. The probe refuses it where it does
 * not hold, and the setting says that it is new.
 */
export function seatbeltArgv(cage: Cage, argv: Argv): Argv {
  return ['/usr/bin/sandbox-exec', '-p', seatbeltProfile(cage), '/usr/bin/env', `TMPDIR=${cage.tmp}`, ...argv]
}

export function seatbeltProfile(cage: Cage): string {
  const { workspace, writable, readable, tmp, hidden, frozen, closed } = cage
  const subpaths = (paths: readonly string[]): string => paths.map((path) => `(subpath ${quote(path)})`).join(' ')
  const rule = (words: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [`(${words} ${subpaths(paths)})`]
  // The last rule that matches decides.
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...rule('allow file-write*', cage.readOnly ? [tmp] : [workspace, ...writable, tmp]),
    ...rule('deny file-write*', [...frozen, ...closed]),
    ...rule(
      'deny file-read* file-write*',
      hidden.map(({ path }) => path),
    ),
    // The workspace and other folders may be inside one that is hidden as a whole.
    ...rule(
      'allow file-read*',
      [workspace, ...readable].filter((folder) => hidden.some(({ path }) => folder.startsWith(`${path}/`))),
    ),
  ].join('\n')
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
