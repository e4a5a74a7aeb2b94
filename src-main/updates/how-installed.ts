import { existsSync } from 'node:fs'
import type { UpdateManifest } from './manifest'

/** How this copy came to be here, which decides who replaces it. */
type Installed = 'appimage' | 'deb' | 'rpm' | 'folder'

export function howInstalled(
  program: string,
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): Installed {
  if (env.APPIMAGE) return 'appimage'
  if (!program.startsWith('/opt/deckhand/')) return 'folder'
  return exists('/var/lib/dpkg/info/deckhand.list') ? 'deb' : 'rpm'
}

/**
 * What the user types to get the new version, or null where the app can do it by itself. The package is compared with the
 * signed list before it is installed, since the server that it comes from vouches for nothing.
 */
export function howToUpdate(
  installed: Installed,
  { files }: UpdateManifest,
  { url, arch }: { url: string; arch: string },
): string | null {
  const command = (ending: string, install: (name: string) => string): string | null => {
    const file = files.find((each) => each.platform === 'linux' && each.arch === arch && each.name.endsWith(ending))
    if (!file) return null
    const address = new URL(file.name, url.endsWith('/') ? url : `${url}/`).href
    const sum = Buffer.from(file.sha512, 'base64').toString('hex')
    return [`curl -fLO ${address}`, `echo '${sum}  ${file.name}' | sha512sum -c -`, install(file.name)].join(' &&\n')
  }
  if (installed === 'deb') return command('.deb', (name) => `sudo apt install ./${name}`)
  if (installed === 'rpm') return command('.rpm', (name) => `sudo dnf install ./${name}`)
  if (installed === 'folder') return command('.tar.gz', (name) => `tar -xzf ${name}`)
  return null
}
