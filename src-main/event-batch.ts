import type { DeckhandEvent } from '../src-preload/contract/events'

/** Events of one pass through the event loop travel as one message, in order. */
interface EventBatch {
  add(event: DeckhandEvent): void
  /** Delivers what waits now: whoever is answered must not hear later of what the answer already tells. */
  flush(): void
}

export function createEventBatch(deliver: (events: DeckhandEvent[]) => void): EventBatch {
  let waiting: DeckhandEvent[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    deliver(events)
  }
  return {
    flush,
    add(event) {
      waiting.push(event)
      if (waiting.length === 1) setImmediate(flush)
    },
  }
}
