import { readlinkSync } from 'node:fs'

let known: string | undefined

/**
 * The name of the system's time zone. `Intl` knows it too, but loads its tables for that when it is first asked: 8 ms, a
 * twentieth of a start. It is asked where the system does not name its zone by a link.
 */
export function systemTimeZone(): string {
  known ??= (process.env.TZ === undefined && linkedZone()) || Intl.DateTimeFormat().resolvedOptions().timeZone
  return known
}

function linkedZone(): string | undefined {
  try {
    return zoneIn(readlinkSync('/etc/localtime'))
  } catch {
    return undefined // A copy instead of a link, or Windows.
  }
}

/** The zone that a file is named for; undefined for a name that `Intl` would give differently. */
export function zoneIn(path: string): string | undefined {
  const name = /\/zoneinfo\/([A-Z][A-Za-z_-]*(?:\/[A-Z][A-Za-z_-]*)+)$/.exec(path)?.[1]
  if (name === 'Etc/UTC') return 'UTC'
  return name?.startsWith('Etc/') ? undefined : name
}
