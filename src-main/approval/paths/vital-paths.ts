import { isInside, type Places } from './paths'

/** Folders of the operating system. */
const SYSTEM =
  /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev(?!\/shm\/)|proc|sys|system|library|applications|windows|private|cores|nix|snap)(?:\/|$)/i
/** Each child of these folders holds all the data of one user, service or program. */
const SHARED = /^\/(?:home|users|var|opt|srv|mnt|media|volumes|root|run)\/[^/]+$/i
const DEVICE =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|md\/|dm-\d|loop\d|nbd\d|zd\d|sr\d|ram\d|mapper\/|disk\/|block\/|bcache|drbd|mem$|kmem$|port$|mtd)/

export const isDevice = (path: string): boolean => DEVICE.test(path)
export const isSystemPath = (path: string): boolean => SYSTEM.test(path)

/** Something whose loss, with all that is below it, would be a disaster. */
export interface Vital {
  /** `above home` and `above workspace` hold them; `shared` is all that some user, service or program has. */
  kind:
    | 'file system'
    | 'home'
    | 'above home'
    | 'workspace'
    | 'above workspace'
    | 'history'
    | 'system'
    | 'shared'
    | 'unknown'
  /** What it is, in words: "deletes …". */
  what: string
}

/** Whether losing this path would be a disaster, and why; `null` if it would not. */
export function vitalPath(path: string, places: Places): Vital | null {
  const { home } = places.files
  if (path === '/') return { kind: 'file system', what: 'the whole file system' }
  if (isInside(home, path))
    return path === home
      ? { kind: 'home', what: 'your home folder' }
      : { kind: 'above home', what: `${path}, which holds your home folder` }
  if (path === places.workspace) return { kind: 'workspace', what: 'the whole workspace' }
  if (/\/\.(?:git|hg|svn|jj)(?:\/|$)/i.test(path)) return { kind: 'history', what: 'the history of a repository' }
  if (isInside(places.workspace, path)) return { kind: 'above workspace', what: `${path}, which holds the workspace` }
  if (places.folders.some((folder) => path !== folder && isInside(path, folder))) return null
  if (SYSTEM.test(path)) return { kind: 'system', what: `${path}, a folder of the system` }
  if (path.lastIndexOf('/') === 0 || SHARED.test(path)) return { kind: 'shared', what: `all of ${path}` }
  if (path.slice(0, path.lastIndexOf('/')) === home)
    return { kind: 'shared', what: `all of ~${path.slice(home.length)}` }
  return null
}
