import { ANYTHING, type Field, UNKNOWN } from '../shell/field'
import { canonicalPath, isInside, lexicalPath, type Places } from './paths'

/** Whose loss nobody shrugs off. */
const SYSTEM =
  /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev(?!\/shm\/)|proc|sys|system|library|applications|windows|private|cores|nix|snap)(?:\/|$)/i
/** Folders whose children are somebody's or some service's everything. */
const SHARED = /^\/(?:home|users|var|opt|srv|mnt|media|volumes|root|run)\/[^/]+$/i
const DEVICE =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|md\/|dm-\d|loop\d|nbd\d|zd\d|sr\d|ram\d|mapper\/|disk\/|block\/|bcache|drbd|mem$|kmem$|port$|mtd)/

export const isDevice = (path: string): boolean => DEVICE.test(path)

/** What a word would mean as a path: each possibility, canonical and as written. */
export function possiblePaths(field: Field, cwds: readonly (string | null)[], places: Places): string[] {
  const texts = field.unknown ? [field.text.replaceAll(UNKNOWN, 'unknown')] : [field.text]
  return texts.flatMap((text) =>
    cwds.flatMap((cwd) => {
      if (cwd === null && !text.startsWith('/')) return []
      const written = lexicalPath(text, cwd ?? '/')
      const real = canonicalPath(text, cwd ?? '/', places.files)
      return real === null || real === written ? [written] : [written, real]
    }),
  )
}

/** Why losing this, with all that is below it, would be a disaster; `null` if it would not. */
export function vitalReason(path: string, places: Places): string | null {
  const { home } = places.files
  if (path === '/') return 'the whole file system'
  if (isInside(home, path)) return path === home ? 'your home folder' : `${path}, which holds your home folder`
  if (path === places.workspace) return 'the whole workspace'
  if (/\/\.(?:git|hg|svn|jj)(?:\/|$)/i.test(path)) return 'the history of a repository'
  if (isInside(places.workspace, path)) return `${path}, which holds the workspace`
  if (places.folders.some((folder) => path !== folder && isInside(path, folder))) return null
  if (SYSTEM.test(path)) return `${path}, a folder of the system`
  if (path.lastIndexOf('/') === 0 || SHARED.test(path)) return `all of ${path}`
  if (path.slice(0, path.lastIndexOf('/')) === home) return `all of ~${path.slice(home.length)}`
  return null
}

const ONLY_WILD = /^[.*?[]*[*?[][.*?[]*$/

/** The same for a word of a command, with its patterns and unknown parts. */
export function vitalTarget(field: Field, cwds: readonly (string | null)[], places: Places): string | null {
  if (field.unknown) {
    const rest = field.text.replaceAll(UNKNOWN, '')
    if (/^[\s/.*?]*$/.test(rest) || field.text.includes(ANYTHING) || /^\uFFFC[^/]/.test(field.text))
      return 'something that is only known when it runs'
    // An empty variable in front leaves an absolute path behind.
    if (field.text.startsWith(UNKNOWN) && SYSTEM.test(lexicalPath(rest, '/'))) return `perhaps ${rest}`
    if (field.text.startsWith(UNKNOWN)) return null
  }
  const text = field.text.replaceAll(UNKNOWN, 'unknown').replace(/\/+$/, '') || '/'
  const slash = text.lastIndexOf('/')
  const last = text.slice(slash + 1)
  // `dir/*` is everything in dir.
  const whole = field.pattern && ONLY_WILD.test(last) ? (slash < 0 ? '.' : text.slice(0, slash) || '/') : text
  if (cwds.includes(null) && /^[./]*$/.test(whole) && !whole.startsWith('/'))
    return 'a folder that is only known when it runs'
  for (const path of possiblePaths({ text: whole, unknown: false, pattern: null }, cwds, places)) {
    const reason = vitalReason(path, places)
    if (reason !== null) return reason
  }
  return null
}
