import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { systemWords } from '../storage/system-words'
import { createScreenHistory, type ScreenHistory, type Size } from './screen-history'

/**
 * The screen size at each byte of a log, kept beside the log: the output of a full-screen program can only be shown at
 * the same size, also in a later run of the app. The file is created with the first change of size.
 */
interface SizeLog {
  add(offset: number, size: Size): void
}

export function createSizeLog(logPath: string): SizeLog {
  let turn = Promise.resolve()
  return {
    add(offset, { cols, rows }) {
      turn = turn
        .then(() => appendFile(sizesOf(logPath), `${offset} ${cols} ${rows}\n`))
        .catch((error: unknown) =>
          console.error(`deckhand: the size of a terminal was not kept: ${systemWords(error)}.`),
        )
    },
  }
}

/** The sizes that a log was written with; `usual` if none were recorded. */
export function readSizeLog(logPath: string, usual: Size): ScreenHistory {
  const history = createScreenHistory(usual)
  for (const line of readLines(sizesOf(logPath))) {
    const [offset, cols, rows] = line.split(' ').map(Number)
    if (offset !== undefined && cols && rows) history.resized(offset, cols, rows)
  }
  return history
}

const sizesOf = (logPath: string) => `${logPath}.sizes`

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
