import { StorageError } from './storage-error'

const retryMs = 1000

/** What could not be saved yet. It is tried again by itself, and whoever saves next tries it first. */
export interface Unsaved {
  /**
   * Saves now, or as soon as that is possible again; of several writes with one key the last counts. True when it is saved.
   * Never throws: it is for timers and listeners, and for what has happened whether or not it can be saved.
   */
  save(key: string, write: () => void): boolean
  /** Saves everything that waits, in order. Throws the `StorageError` that is in the way. */
  flush(): void
  /** The keys of what waits, oldest first. */
  keys(): string[]
  /** Why something waits. */
  trouble(): StorageError | null
  /** Called when nothing waits any more. */
  onSettled(listener: () => void): () => void
  /** The database closes: nothing can be saved any more, and nothing is tried again. */
  close(): void
}

export const createUnsaved = (
  report: (error: unknown) => void = (error) => console.error('deckhand: something could not be saved:', error),
): Unsaved => {
  const waiting = new Map<string, () => void>()
  const listeners = new Set<() => void>()
  let trouble: StorageError | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const flush = (): void => {
    if (waiting.size === 0) return
    for (const [key, write] of [...waiting]) {
      try {
        write()
      } catch (error) {
        if (error instanceof StorageError) {
          trouble = error
          throw error
        }
        // Trying again will not help.
        report(error)
      }
      waiting.delete(key)
    }
    trouble = null
    for (const listener of [...listeners]) listener()
  }

  const retryLater = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      try {
        flush()
      } catch {
        // It is still full or locked, as `trouble` says.
        retryLater()
      }
    }, retryMs).unref()
  }

  return {
    flush,
    keys: () => [...waiting.keys()],
    trouble: () => (waiting.size > 0 ? trouble : null),
    save: (key, write) => {
      if (closed) return false
      try {
        // In order: what was left undone goes first, unless this takes its place.
        if (waiting.size > 0 && !waiting.has(key)) flush()
        write()
        waiting.delete(key)
        return true
      } catch (error) {
        if (error instanceof StorageError) {
          trouble = error
          waiting.set(key, write)
          retryLater()
        } else report(error)
        return false
      }
    },
    onSettled: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      closed = true
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
