import { mkdirSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** One change causes several file events; they are combined into one call. */
const calmMs = 300

/** Calls `changed` with an agent's id when its notes change on disk. `root` holds a folder for each agent. */
export async function watchNotes(root: string, changed: (agentId: string) => void, failed: (error: unknown) => void) {
  const { watch } = await import('chokidar')
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const timers = new Map<string, NodeJS.Timeout>()
  const parts = (path: string): string[] => relative(root, path).split(sep)
  const watcher = watch(root, {
    ignoreInitial: true,
    persistent: false,
    depth: 2,
    // Watches only notes: other files of an agent, such as skills, may be large.
    ignored: (path) => {
      const [, second, third] = parts(path)
      if (second === undefined) return false
      return third === undefined ? second !== 'MEMORY.md' && second !== 'memory' : !third.endsWith('.md')
    },
  })
  watcher.on('all', (_, path) => {
    const [agentId = ''] = parts(path)
    if (agentId === '') return
    clearTimeout(timers.get(agentId))
    timers.set(agentId, setTimeout(() => changed(agentId), calmMs).unref())
  })
  watcher.on('error', failed)
  return async (): Promise<void> => {
    for (const timer of timers.values()) clearTimeout(timer)
    await watcher.close()
  }
}
