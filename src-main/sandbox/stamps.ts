import { statSync } from 'node:fs'

/** Beyond this many, they are not looked at for every command. */
const many = 400
const longEnoughMs = 1000

/** Whether anything was added to, removed from or replaced in a set of folders and files since it was looked at. */
export interface Stamps {
  unchanged(): boolean
}

/** Folders count by the time of their last change, files by their identity: a file that is replaced is another one. */
export function takeStamps(folders: readonly string[], files: readonly string[]): Stamps {
  const look = (): string[] => [
    ...folders.map((path) => stampOf(path, true)),
    ...files.map((path) => stampOf(path, false)),
  ]
  const before = look()
  let lookedAt = performance.now()
  return {
    unchanged() {
      const now = performance.now()
      if (before.length > many && now - lookedAt < longEnoughMs) return true
      lookedAt = now
      return (
        folders.every((path, at) => stampOf(path, true) === before[at]) &&
        files.every((path, at) => stampOf(path, false) === before[folders.length + at])
      )
    },
  }
}

/** Empty for what does not exist. */
export function stampOf(path: string, withTime: boolean): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return ''
  return withTime ? `${found.ino} ${found.mtimeMs}` : `${found.dev} ${found.ino}`
}
