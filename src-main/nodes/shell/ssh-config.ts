import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const maxDepth = 8

/** Host names that the user has configured, in the order of the file, without patterns. */
export function sshHosts(file = join(homedir(), '.ssh', 'config'), depth = 0): string[] {
  const found: string[] = []
  for (const line of readLines(file)) {
    const [, keyword = '', rest = ''] = /^\s*(\w+)(?:\s+|\s*=\s*)(.+?)\s*$/.exec(line) ?? []
    const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
    if (keyword.toLowerCase() === 'host')
      found.push(...words.filter((word) => /^[\w.@:-]+$/.test(word) && !word.startsWith('-')))
    if (keyword.toLowerCase() === 'include' && depth < maxDepth)
      found.push(...words.flatMap((word) => included(word).flatMap((each) => sshHosts(each, depth + 1))))
  }
  return [...new Set(found)]
}

function included(pattern: string): string[] {
  const path = pattern.replace(/^~(?=\/)/, homedir())
  return globSync(isAbsolute(path) ? path : join(homedir(), '.ssh', path)).sort()
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // Most users have no such file.
    return []
  }
}
