import { type Stats, statSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Words of a trace that look like paths. Parts of quoted text that match do no harm: they do not exist. */
const path = /(?:^|[\s'"=:(<>,])((?:\/|~\/)[\w.@+,%/-]+)/gm
/** Folders of the kernel and the system, where file times mean nothing. */
const ofSystem = /^\/(?:dev|proc|sys|run)(?:\/|$)/
const mostPaths = 300

/** The files and folders named in the commands of login files, from a shell's trace of them. */
export function pathsIn(trace: string, home: string): string[] {
  const found = new Set<string>()
  for (const [, word = ''] of trace.matchAll(path)) {
    const each = word.replace(/^~(?=\/)/, home).replace(/(?<=.)\/+$/, '')
    if (!ofSystem.test(each)) found.add(each)
    if (found.size >= mostPaths) break
  }
  return [...found]
}

/**
 * One line for each path, which changes when the file does. For a folder with frequent changes, only whether it exists.
 */
export function stampsOf(paths: readonly string[], home: string): string[] {
  return paths.map((each) => {
    const found = statOf(each)
    if (!found) return ''
    const busy = each === home || busyFolders.has(each)
    return busy && found.isDirectory() ? 'there' : `${found.mtimeMs} ${found.size} ${found.ino}`
  })
}

const busyFolders = new Set(['/', tmpdir(), '/tmp', '/var/tmp'])

function statOf(each: string): Stats | undefined {
  try {
    return statSync(each, { throwIfNoEntry: false })
  } catch {
    return undefined // Below a file, or not accessible.
  }
}
