import { errorCode } from '../error-code'
import type { Logger } from '../log'
import { troubleOf } from '../storage/storage-error'
import { type ImageStore, openImageStore, setImagesAside } from './image-store'

interface RenewableStoreOptions {
  folder: string
  now(): number
  log: Logger
  /** Tells the user something that does not belong to a session. */
  note(text: string): void
  /** Called before an unusable store is moved aside: what was read from it is no longer valid. */
  setAside(): void
}

/** The store of file contents. If it turns out to be unusable, a new one takes its place, and the user is told once. */
export function createRenewableStore({ folder, now, log, note, setAside }: RenewableStoreOptions) {
  let opened: ImageStore | null = null

  /** Contents are useful but not required, so losing them is no reason to fail. */
  const putAside = (error: unknown): boolean => {
    setAside()
    const aside = setImagesAside(folder)
    if (aside === null) return false
    log.warn('The contents kept for undo could not be used', { error, keptAs: aside })
    note(`What was kept for undo could not be read, so earlier changes cannot be undone. It is now in ${aside}.`)
    return true
  }

  /** True if the error was the store's fault and another try makes sense. */
  const renew = (error: unknown): boolean => {
    if (troubleOf(error) !== 'damaged') return false
    try {
      opened?.close()
    } catch (closing) {
      log.warn('The contents kept for undo could not be closed', { error: closing })
    }
    opened = null
    return putAside(error)
  }

  return {
    /** Opened on first use: most runs do not need it at the start. */
    open(): ImageStore {
      try {
        opened ??= openImageStore(folder, now)
      } catch (error) {
        if (!cannotOpen(error) || !putAside(error)) throw error
        opened = openImageStore(folder, now)
      }
      return opened
    },
    renew,
    /** Tries once more with a new store if the old one is unusable. */
    renewing<Result>(work: () => Result): Result {
      try {
        return work()
      } catch (error) {
        if (!renew(error)) throw error
        return work()
      }
    },
    async renewingLater<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work()
      } catch (error) {
        if (!renew(error)) throw error
        return work()
      }
    },
    close(): void {
      opened?.close()
      opened = null
    },
  }
}

const inTheWay = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'])

/** Something else is at the store's path. A full disk or a lock is temporary and does not count. */
const cannotOpen = (error: unknown): boolean => {
  const trouble = troubleOf(error)
  return trouble === 'unreadable' || trouble === 'damaged' || inTheWay.has(errorCode(error) ?? '')
}
