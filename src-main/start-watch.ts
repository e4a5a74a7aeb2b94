import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJsonFile } from './settings/json-file'

/** So many starts without an end, within this time, are a loop. */
const tooMany = 3
const loopMs = 60_000

export interface StartWatch {
  /** It keeps crashing: whatever starts by itself had better not, this time. */
  cautious: boolean
  /** The start before this one has not ended in order. */
  crashed: boolean
  /** Called at an orderly end. */
  ended(): void
}

/** Remembers each start until its orderly end, to notice an app that crashes again and again. */
export function watchStarts(dataDir: string, now: number): StartWatch {
  const path = join(dataDir, 'starts.json')
  const { content } = readJsonFile(path, now)
  const known = Array.isArray(content.unended) ? content.unended : []
  // A clock that was set back must not make old starts look recent for ever.
  const recent = known.filter((at) => typeof at === 'number' && Math.abs(now - at) < loopMs).slice(-tooMany)
  // A power cut is no crash of the app, so that no start need wait for the disk.
  const write = (unended: number[]) => {
    try {
      writeFileSync(path, JSON.stringify({ unended }), { mode: 0o600 })
    } catch {
      // A full disk: a loop of crashes is then not noticed, and nothing else is amiss.
    }
  }
  write([...recent, now])
  return { cautious: recent.length >= tooMany, crashed: known.length > 0, ended: () => write([]) }
}
