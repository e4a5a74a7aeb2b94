import type { Engine } from '../engine'

/** Programs that want our tools find them a moment after the window has drawn. */
const doorAfterMs = 700

/** Opens the door for `deckhand mcp` once the window stands. Returns the way to close it. */
export function openDoorLater(engine: () => Engine, drawn: Promise<unknown>): () => Promise<void> {
  let left = false
  let timer: NodeJS.Timeout | undefined
  let door: Promise<{ close(): void } | null> = Promise.resolve(null)
  const open = (): void => {
    door = import('../tool-server/door')
      .then(({ openToolDoor }) => (left ? null : openToolDoor(engine())))
      .catch((error: unknown) => {
        engine().log.warn('Other programs cannot use the tools of this window', { error })
        return null
      })
  }
  void drawn.then(() => {
    if (!left) timer = setTimeout(open, doorAfterMs)
  })
  return async () => {
    left = true
    clearTimeout(timer)
    ;(await door)?.close()
  }
}
