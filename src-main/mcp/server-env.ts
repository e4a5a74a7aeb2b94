/** Variables that any program needs; a server gets no others except those configured for it. */
const inherited =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|PROGRAMFILES|PROGRAMDATA|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|COMSPEC)$/i

/** The environment of a server, without our keys or those of the user's shell. */
export function serverEnv(
  base: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    // An exported shell function would be defined in every shell that the server starts.
    if (value !== undefined && inherited.test(name) && !value.startsWith('()')) env[name] = value
  }
  return { ...env, ...own }
}
