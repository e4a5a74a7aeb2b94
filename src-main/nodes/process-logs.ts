import { mkdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogLines, readHead, readLines, readTail, type TextEnd } from './log-text'

const TAIL_CHARS = 4000

/** The output of processes: one file for each, and two more if the streams are separate. */
export function createProcessLogs(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = (id: string): string => join(folder, `${id}.log`)
  return {
    path,
    size: (id: string): number => statSync(path(id), { throwIfNoEntry: false })?.size ?? 0,
    output: (id: string, maxChars: number): Promise<TextEnd> => readTail(path(id), maxChars),
    tail: async (id: string, chars = TAIL_CHARS): Promise<string> => (await readTail(path(id), chars)).text,
    lines: (id: string, offset: number, limit: number): Promise<LogLines> => readLines(path(id), offset, limit),
    async streams(id: string, { maxChars, keep }: { maxChars: number; keep: 'head' | 'tail' }) {
      const read = keep === 'head' ? readHead : readTail
      const [stdout, stderr] = await Promise.all([read(`${path(id)}.out`, maxChars), read(`${path(id)}.err`, maxChars)])
      return { stdout, stderr }
    },
    async remove(id: string): Promise<void> {
      await Promise.all(['', '.out', '.err', '.sizes', '.times'].map((end) => rm(path(id) + end, { force: true })))
    },
  }
}

export type ProcessLogs = ReturnType<typeof createProcessLogs>
