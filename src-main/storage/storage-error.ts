import type { TurnError } from '../../src-preload/contract/messages'
import { errorCode } from '../error-code'

/**
 * What can be wrong with the place where Deckhand keeps its data:
 * - `full`: no space is left, or a quota is used up. Saving works again as soon as there is space.
 * - `locked`: another program holds the database. Saving works again when it lets go.
 * - `damaged`: the file cannot be read. The next start saves what can still be read.
 * - `unreadable`: the user may not read or write it.
 * - `refused`: the disk failed, and nobody knows what is on it. Nothing more is saved in this run.
 */
type StorageTrouble = 'full' | 'locked' | 'damaged' | 'unreadable' | 'refused'

/** Something could not be saved or read, in words for the user. */
export class StorageError extends Error {
  constructor(
    readonly trouble: StorageTrouble,
    /** The data folder, or the file in it, that this is about. */
    readonly place: string,
    cause?: unknown,
  ) {
    super(sentences[trouble](place), { cause })
    this.name = 'StorageError'
  }

  /** What the user can do about it. */
  get hint(): string {
    return hints[this.trouble]
  }

  /** How a turn that ended because of it is told of. */
  get turnError(): TurnError {
    return { kind: 'storage', message: this.message, hint: this.hint, retryable: true }
  }
}

const sentences: Record<StorageTrouble, (place: string) => string> = {
  full: (place) => `The disk that holds ${place} is full: nothing more could be saved.`,
  locked: (place) => `Another program has locked the database in ${place}: nothing could be saved.`,
  damaged: (place) => `The database in ${place} is damaged and could not be read.`,
  unreadable: (place) => `The database in ${place} cannot be opened or written.`,
  refused: (place) => `The disk that holds ${place} failed: nothing more is saved until Deckhand is started again.`,
}

const hints: Record<StorageTrouble, string> = {
  full: 'Free some space, then try again.',
  locked: 'Close the other program, then try again.',
  damaged: 'Start Deckhand again: it then saves what can still be read.',
  unreadable: 'Check that you may read and write everything in this folder.',
  refused: 'Check the disk, then start Deckhand again.',
}

export const isLock = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.trouble === 'locked'

const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** These leave the database as it was, so that trying again is safe: a write, a file that could not grow. */
const harmless: ReadonlySet<number> = new Set([SQLITE_IOERR | (3 << 8), SQLITE_IOERR | (19 << 8)])

/** What an error of SQLite's says about the place of the data; `null` where it is about something else. */
export const troubleOf = (error: unknown): StorageTrouble | null => {
  if (error instanceof StorageError) return error.trouble
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null
  switch (error.errcode & 0xff) {
    case SQLITE_FULL:
      return 'full'
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return 'locked'
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return 'damaged'
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return 'unreadable'
    case SQLITE_IOERR:
      return harmless.has(error.errcode) ? 'full' : 'refused'
    default:
      return null
  }
}

/** Whether there was no space, for the database or for another file. */
export const isFull = (error: unknown): boolean =>
  troubleOf(error) === 'full' || errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT'

/** The same error in words for the user where it is about the place of the data, and as it is otherwise. */
export const inWords = (error: unknown, place: string): unknown => {
  if (error instanceof StorageError) return error
  const trouble = troubleOf(error)
  return trouble === null ? error : new StorageError(trouble, place, error)
}
