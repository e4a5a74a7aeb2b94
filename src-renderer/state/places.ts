import { useEffect, useState } from 'react'
import { call } from './bridge'
import { focusProcess } from './navigate'
import { getState } from './store'
import { attempt } from './toasts'

interface Opened {
  path: string
  line?: number | undefined
  column?: number | undefined
  /** Where a relative path starts, if not in the session's workspace. */
  cwd?: string | undefined
}

/** Opens a file in the user's editor, or in a terminal of the session that is shown. */
export function openPlace({ path, line, column, cwd }: Opened): void {
  const { selectedId: sessionId } = getState()
  if (!sessionId) return
  const wish = { sessionId, path, ...(line && { line }), ...(column && { column }), ...(cwd && { cwd }) }
  attempt(call('editor.open', wish).then((processId) => processId && focusProcess(processId)))
}

/** Paths that were looked up. A file may come and go, so it is looked up again after a while. */
const known = new Map<string, { exists: boolean; at: number }>()
const freshMs = 20_000
const mostKnown = 2000
const mostAtOnce = 100

/** Paths that come up together are asked for in one call; a growing text may name a new one with every letter. */
const gatherMs = 80
let waiting: { keys: Map<string, string>; done: Promise<void> } | null = null

/** Whether a file or folder exists in the workspace of a session. */
async function exists(sessionId: string, path: string): Promise<boolean> {
  const key = `${sessionId} ${path}`
  const held = known.get(key)
  if (held && Date.now() - held.at < freshMs) return held.exists
  if (!waiting || waiting.keys.size >= mostAtOnce) {
    const keys = new Map<string, string>()
    const done = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(async () => {
      waiting = null
      const paths = [...keys.values()]
      const found = await call('editor.exists', { sessionId, paths })
      if (known.size > mostKnown) known.clear()
      for (const [at, each] of [...keys.keys()].entries())
        known.set(each, { exists: found[at] ?? false, at: Date.now() })
    })
    waiting = { keys, done }
  }
  waiting.keys.set(key, path)
  await waiting.done
  return known.get(key)?.exists ?? false
}

/** Whether a path exists in the session that is shown; false until that is known. */
export function useExists(path: string | null): boolean {
  const [there, setThere] = useState(false)
  useEffect(() => {
    const { selectedId } = getState()
    if (path === null || !selectedId) return setThere(false)
    let open = true
    // If the lookup fails, the text stays plain.
    exists(selectedId, path).then(
      (found) => void (open && setThere(found)),
      () => void (open && setThere(false)),
    )
    return () => {
      open = false
    }
  }, [path])
  return there
}
