import type { DeckhandEvent } from '../../src-preload/contract/events'

const deltaMs = 16

type Delta = Extract<DeckhandEvent, { type: 'delta' }>

/** Publishes pieces of a message at once, but at most sixty times a second; those that come faster are joined. */
export function createDeltaPace(publish: (event: Delta) => void) {
  let unsent: Delta | null = null
  let lastSent = 0
  let timer: NodeJS.Timeout | null = null

  const drop = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    unsent = null
  }
  const send = (): void => {
    const event = unsent
    drop()
    if (!event) return
    lastSent = performance.now()
    publish(event)
  }

  return {
    /** Publishes the pieces that are held back. */
    send,
    drop,
    add(delta: Delta): void {
      if (unsent && unsent.partIndex !== delta.partIndex) send()
      if (unsent) unsent.text += delta.text
      else unsent = delta
      const due = lastSent + deltaMs - performance.now()
      if (due <= 0) send()
      else timer ??= setTimeout(send, due)
    },
  }
}
