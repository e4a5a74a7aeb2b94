import { type Stats, statSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Words of a trace that are paths. Pieces of quoted text that look like one do no harm: they are not there. */
const path = /(?:^|[\s'"=:(<>,])((?:\/|~\/)[\w.@+,%/-]+)/gm
/** Folders of the system's own making, where times mean nothing. */
const ofSystem = /^\/(?:dev|proc|sys|run)(?:\/|$)/
const mostPaths = 300

/** The files and folders that login files name in the commands that they run, from a shell's own trace of them. */
export function pathsIn(trace: string, home: string): string[] {
  const found = new Set<string>()
  for (const [, word = ''] of trace.matchAll(path)) {
    const each = word.replace(/^~(?=\/)/, home).replace(/(?<=.)\/+$/, '')
    if (!ofSystem.test(each)) found.add(each)
    if (found.size >= mostPaths) break
  }
  return [...found]
}

/** One line for each path: it changes when the file does. Of a folder that everybody works in, only whether it is there. */
export function stampsOf(paths: readonly string[], home: string): string[] {
  const busy = new Set(['/', home, tmpdir(), '/tmp', '/var/tmp'])
  return paths.map((each) => {
    const found = statOf(each)
    if (!found) return ''
    return found.isDirectory() && busy.has(each) ? 'there' : `${found.mtimeMs} ${found.size} ${found.ino}`
  })
}

function statOf(each: string): Stats | undefined {
  try {
    return statSync(each, { throwIfNoEntry: false })
  } catch {
    return undefined // Below a file, or not for us to see.
  }
}
