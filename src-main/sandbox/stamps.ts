import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Beyond this many, they are not looked at for every command. */
const many = 400
const longEnoughMs = 1000

/** Whether anything was added to, removed from or replaced in a set of folders and files since it was looked at. */
export interface Stamps {
  unchanged(): boolean
}

/**
 * Folders count by the time of their last change, files by their identity: a file that is replaced is another one.
 * Folders `outside` the workspace are looked at once in a while: nothing that runs in a cage can add something there.
 */
export function takeStamps(
  folders: readonly string[],
  files: readonly string[],
  outside: readonly string[] = [],
): Stamps {
  const near = [...folders.map(look(true)), ...files.map(look(false))]
  const far = needed(outside).map(look(true))
  const isDue = due()
  const isFarDue = due()
  return {
    unchanged: () => (near.length > many && !isDue() ? true : near.every(isSame)) && (!isFarDue() || far.every(isSame)),
  }
}

interface Seen {
  path: string
  withTime: boolean
  stamp: string
}

const look =
  (withTime: boolean) =>
  (path: string): Seen => ({ path, withTime, stamp: stampOf(path, withTime) })

const isSame = ({ path, withTime, stamp }: Seen): boolean => stampOf(path, withTime) === stamp

/** Whether it is long enough ago that this was asked and said so. */
function due(): () => boolean {
  let at = performance.now()
  return () => {
    const now = performance.now()
    if (now - at < longEnoughMs) return false
    at = now
    return true
  }
}

/** Without what does not exist, where the folder that it would be made in is among them: that one changes with it. */
function needed(folders: readonly string[]): string[] {
  const known = new Set(folders)
  return folders.filter((path) => {
    if (stampOf(path, false) !== '') return true
    let parent = dirname(path)
    while (parent !== '/' && stampOf(parent, false) === '') parent = dirname(parent)
    return !known.has(parent)
  })
}

/** Empty for what does not exist. */
export function stampOf(path: string, withTime: boolean): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  // Not the time of the last change of its content, which a command can set back.
  return withTime ? `${found.ino} ${found.ctimeMs}` : `${found.dev} ${found.ino}`
}
