import type { Message, Part } from '../../src-preload/contract/messages'
import { readJson } from '../storage/read-json'
import type { RunnerCore } from './runner-core'

/** The cap that a yes raises, and by how many times its own size. */
interface Raise {
  key: string
  raises: number
}

/** A question from the app itself, stored as a call in a system message: it is saved, shown and answered like any other. */
export const askToGoOn = async (
  core: RunnerCore,
  sessionId: string,
  reason: string,
  signal: AbortSignal,
  raise?: Raise,
  /** Whether the question has become unnecessary because the cap was raised meanwhile. */
  recheck: (() => Promise<boolean>) | null = null,
): Promise<'continue' | 'stop'> => {
  const { store, publish } = core.options
  const { message, call } = store.transaction(() => {
    const empty = store.messages.append({ sessionId, role: 'system', parts: [] })
    const made = store.calls.create({
      sessionId,
      messageId: empty.id,
      position: 0,
      providerId: '',
      name: 'Pause',
      arguments: JSON.stringify(raise ?? {}),
      gist: reason,
    })
    const parts: Part[] = [{ type: 'call', callId: made.id }]
    const saved: Message = { ...empty, parts }
    store.messages.save(saved)
    return { message: saved, call: made }
  })
  publish({ type: 'message', message })
  const draft = { kind: 'loop' as const, title: 'Continue?', node: 'local', reason, offers: [], editable: false }
  const answer = await core.questions.ask(call, draft, signal, recheck)
  return settlePause(core, call.id, answer.decision !== 'deny')
}

export const settlePause = (core: RunnerCore, callId: string, goOn: boolean): 'continue' | 'stop' => {
  if (goOn) applyRaise(core, callId)
  if (goOn) core.setState(callId, { status: 'done', content: [{ type: 'text', text: 'You let it continue.' }] })
  else core.setState(callId, { status: 'denied', message: 'You stopped it here.' })
  return goOn ? 'continue' : 'stop'
}

/** Saved with the call, so that an answer after a restart counts too. Other turns may be waiting for the same cap. */
const applyRaise = (core: RunnerCore, callId: string): void => {
  const { raised } = core.spending
  const { key, raises } = readJson<Partial<Raise>>(core.options.store.calls.get(callId).arguments, {})
  if (typeof key !== 'string' || typeof raises !== 'number' || raises <= (raised.get(key) ?? 0)) return
  raised.set(key, raises)
  core.questions
    .recheck()
    .catch((error) => core.options.log.error('Could not look at waiting questions again', { error }))
}
