/** About a millisecond of reading; between two turns everything else runs, above all what the user types. */
const TURN_MS = 1

export interface TurnReader {
  /** Reads one piece; false if there is no more for now. */
  read(): boolean
}

/**
 * A reader that has more to read than one event delivers waits here for its turn. However many programs flood at once,
 * a turn of the event loop stays as short as with one of them, and each gets its share.
 */
interface ReadTurns {
  join(reader: TurnReader): void
  /** Whether it was waiting. */
  leave(reader: TurnReader): boolean
}

export function createReadTurns(now: () => number = () => performance.now()): ReadTurns {
  const waiting = new Set<TurnReader>()
  let scheduled = false

  const schedule = () => {
    if (scheduled || waiting.size === 0) return
    scheduled = true
    setImmediate(takeTurn)
  }
  const takeTurn = () => {
    scheduled = false
    const end = now() + TURN_MS
    // Iterating a set also visits what is added meanwhile: a reader that has more goes behind all others.
    for (const reader of waiting) {
      waiting.delete(reader)
      if (reader.read()) waiting.add(reader)
      if (now() >= end) break
    }
    schedule()
  }

  return {
    join(reader) {
      waiting.add(reader)
      schedule()
    },
    leave: (reader) => waiting.delete(reader),
  }
}
