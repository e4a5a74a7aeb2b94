import { existsSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { type Hidden, isBelow } from './cage'

/** What belongs to the system, and homes, which are looked at one by one. Everything else at the root is somebody's data. */
const ofSystem =
  /^\/(?:bin|boot|dev|etc|lib\w*|nix|opt|proc|root|run|sbin|snap|sys|tmp|usr|var|home|Users|Library|System|Applications|private|cores)$/
/** Below folders of the system, but somebody's data: other disks, mail, web pages, databases, logs. */
const ofPeople = [
  ...[
    '/run/media',
    '/var/www',
    '/var/mail',
    '/var/spool',
    '/var/backups',
    '/var/log',
    '/var/local',
    '/var/opt',
    '/var/crash',
  ],
  ...[
    '/var/lib/postgresql',
    '/var/lib/mysql',
    '/var/lib/mongodb',
    '/var/lib/redis',
    '/var/lib/jenkins',
    '/var/lib/gitea',
  ],
]

/**
 * What has nothing to do with the work: the home folder, of which only `visible` and what programs need is shown again,
 * other disks, and what else on this machine is somebody's data.
 */
export async function privatePaths(home: string, visible: readonly string[]): Promise<Hidden[]> {
  const atRoot = (await readdir('/').catch(() => [])).map((name) => `/${name}`).filter((path) => !ofSystem.test(path))
  // A home folder below that of root is in a folder of somebody else.
  const around = isBelow(home, '/root') && home !== '/root' ? ['/root'] : []
  const candidates = [...(visible.some((path) => isBelow(home, path)) ? [] : [home]), ...around, ...atRoot, ...ofPeople]
  return candidates.flatMap((path) => {
    if (visible.includes(path)) return []
    try {
      const real = realpathSync(path)
      // A link out of the home folder leads to something that is visible anyway, or hidden by itself.
      return real === path || isBelow(real, dirname(path)) ? { path: real, folder: statSync(real).isDirectory() } : []
    } catch {
      return [] // Gone, or not readable for us and so for a command as well.
    }
  })
}

/** Folders in the home folder or beside those of the system that variables such as PATH or JAVA_HOME name: programs are there. */
export function namedByEnvironment(home: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>()
  for (const [name, value = ''] of Object.entries(env)) {
    if (name === 'HOME' || name.endsWith('PWD')) continue
    for (const path of value.split(delimiter)) {
      if (!path.startsWith('/') || path === '/' || isBelow(home, path) || !existsSync(path)) continue
      if (!path.startsWith(`${home}/`) && ofSystem.test(`/${path.split('/')[1]}`)) continue
      found.add(realpathSync(path))
    }
  }
  return [...found]
}

/** The folder of the repository that a workspace is part of; the workspace itself if it is in none. */
export function repositoryRoot(workspace: string, home: string): string {
  for (let folder = workspace; folder !== '/' && folder !== home; folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder
  return workspace
}
