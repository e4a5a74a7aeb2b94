import { isProcessAlive } from '../process-alive'
import type { Entry } from './process-book'
import { markedProcesses } from './survivors'

/**
 * A survivor of an earlier run is not our child, so its end is only found by looking. Returns the function that looks.
 */
export function lookAfterSurvivors(
  entries: Iterable<Entry>,
  tell: { /** It runs under another pid now. */ moved(entry: Entry): void; ended(entry: Entry): void },
): () => void {
  const survivors = new Set([...entries].filter(({ info }) => info.status === 'survived'))
  let lookAgainAt = 0
  return () => {
    if (survivors.size === 0) return
    const begin = performance.now()
    if (begin < lookAgainAt) return
    for (const entry of survivors) if (entry.info.status !== 'survived') survivors.delete(entry)
    const gone = [...survivors].filter(({ info }) => !isProcessAlive(info.pid))
    const marked = markedProcesses(new Set(gone.map(({ info }) => info.id)), true)
    const heirs = new Map(marked.map(({ id, pid }) => [id, pid]))
    for (const entry of gone) {
      const heir = heirs.get(entry.info.id)
      if (heir !== undefined) entry.info.pid = heir
      if (heir === undefined) tell.ended(entry)
      else tell.moved(entry)
    }
    // The more there are, the longer a look takes, and rows are requested often.
    lookAgainAt = performance.now() + 10 * (performance.now() - begin)
  }
}
