import type { Engine } from '../engine'
import { trackWork } from '../track-work'

/** A hook that never lets the agent stop would go on for ever; after this many the user has the word. */
const mostContinues = 5

/**
 * Runs the hooks for what happens in sessions: the end of a turn, which a hook may refuse, and what waits for the user.
 * Settles with `settled` when those that run have ended.
 */
export function listenForHooks(
  { hooks, runner, store, log }: Pick<Engine, 'hooks' | 'runner' | 'store' | 'log'>,
  subscribe: Engine['subscribe'],
) {
  const continued = new Map<string, number>()
  /** The questions that were told of, by their calls: a question is shown again whenever more is known about it. */
  const told = new Map<string, string>()
  const running = trackWork((error) => log.warn('A hook could not be run', { error }))
  const atStop = async (sessionId: string): Promise<void> => {
    const times = continued.get(sessionId) ?? 0
    const reason = await hooks.atStop(sessionId, times > 0)
    if (reason === null || times >= mostContinues) return
    continued.set(sessionId, times + 1)
    runner.goOn(sessionId, `A hook wants the work to go on: ${reason}`)
  }
  subscribe((event) => {
    if (event.type === 'message' && event.message.role === 'user') continued.delete(event.message.sessionId)
    if (event.type === 'turn-end' && event.reason === 'done') {
      const session = store.sessions.find(event.sessionId)
      if (session && session.parentId === null && hooks.any(event.sessionId)) running.add(atStop(event.sessionId))
    }
    if (event.type === 'call') {
      const { id, sessionId, name, state } = event.call
      if (state.status !== 'awaiting') told.delete(id)
      else if (told.get(id) !== state.question.id && hooks.any(sessionId)) {
        told.set(id, state.question.id)
        running.add(hooks.notify(sessionId, `Deckhand waits for your answer: ${name}`, 'permission_prompt'))
      }
    }
    if (event.type === 'notify' && event.sessionId && hooks.any(event.sessionId))
      running.add(hooks.notify(event.sessionId, event.text, 'message'))
  })
  return { settled: running.settled }
}
