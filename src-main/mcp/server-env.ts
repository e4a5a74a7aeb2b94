/** What any program needs to find its way; a server gets nothing else that it was not given by name. */
const inherited =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|PROGRAMFILES|PROGRAMDATA|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|COMSPEC)$/i

/** The environment of a server: none of our keys, nor those of the user's shell. */
export function serverEnv(
  base: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    // A function that a shell exported would run in every shell below.
    if (value !== undefined && inherited.test(name) && !value.startsWith('()')) env[name] = value
  }
  return { ...env, ...own }
}
