import { existsSync } from 'node:fs'
import type { UpdateManifest } from './manifest'

/** How this copy came to be here, which decides who replaces it. */
export type Installed = 'appimage' | 'deb' | 'rpm' | 'folder'

export function howInstalled(
  program: string,
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): Installed {
  if (env.APPIMAGE) return 'appimage'
  if (!program.startsWith('/opt/deckhand/')) return 'folder'
  return exists('/var/lib/dpkg/info/deckhand.list') ? 'deb' : 'rpm'
}

/** What the user does to get the new version, or null where the app can do it by itself. */
export function howToUpdate(
  installed: Installed,
  { files }: UpdateManifest,
  { url, arch }: { url: string; arch: string },
): string | null {
  const file = (ending: string): string =>
    files.find((each) => each.platform === 'linux' && each.arch === arch && each.name.endsWith(ending))?.name ?? ''
  const address = (name: string): string => new URL(name, url.endsWith('/') ? url : `${url}/`).href
  const fetched = (name: string, then: string): string => `curl -fLO ${address(name)} && ${then}`
  const [deb, rpm, tar] = [file('.deb'), file('.rpm'), file('.tar.gz')]
  if (installed === 'deb' && deb) return fetched(deb, `sudo apt install ./${deb}`)
  if (installed === 'rpm' && rpm) return fetched(rpm, `sudo dnf install ./${rpm}`)
  if (installed === 'folder' && tar) return fetched(tar, `tar -xzf ${tar}`)
  return null
}
