import type { Logger } from '../log'

/** One after the other. What fails is logged and keeps nothing else from being closed: processes must end, for one. */
export async function closeInOrder(log: Logger, steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      log.error('A part of Deckhand could not be closed', { error })
    }
  }
}
