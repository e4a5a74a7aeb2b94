import type { Attachment, Message, Part } from '../../src-preload/contract/messages'
import type { Session } from '../../src-preload/contract/sessions'
import { hasEnded } from './call-rows'
import { partOf } from './messaging'
import { addNotice } from './notices'
import type { RunnerCore } from './runner-core'
import type { Store } from './store'

/** A failed attempt is taken back before it is tried again; calls are only ever in attempts that did not fail. */
export const takeBackFailure = (core: RunnerCore, sessionId: string): void => {
  const last = core.options.store.messages.last(sessionId)
  if (last?.role !== 'assistant') return
  if (last.parts.some((part) => part.type === 'error')) {
    removeFrom(core, sessionId, last.seq)
  } else if (!last.parts.some((part) => part.type === 'call')) {
    // A model that sees its own words last has nothing to answer.
    addNotice(core, sessionId, {
      kind: 'event',
      text: 'The user asks you to go on.',
      forUser: 'You asked it to continue',
    })
  }
}

export const takeBackAnswer = (core: RunnerCore, sessionId: string): void => {
  const { store } = core.options
  const question = store.messages.lastOfRole(sessionId, 'user')
  if (!question) throw new Error('There is no answer to regenerate.')
  if (question.seq < store.messages.count(sessionId) - 1) removeFrom(core, sessionId, question.seq + 1)
}

const removeFrom = (core: RunnerCore, sessionId: string, fromSeq: number): void => {
  core.options.store.messages.removeFrom(sessionId, fromSeq)
  core.options.publish({ type: 'messages-removed', sessionId, fromSeq })
}

/** A new session with everything before a message of the user's, and with other words in its place. */
export const branchAt = (
  store: Store,
  sessionId: string,
  messageId: string,
  text: string,
  attachments: readonly Attachment[] = [],
  /** Who answers there; by default the same. */
  other?: string,
): Session => {
  const message = store.messages.get(messageId)
  if (message.sessionId !== sessionId || message.role !== 'user')
    throw new Error('Only your own messages can be edited.')
  const source = store.sessions.get(sessionId)
  return store.transaction(() => {
    const { agentId, workspace, toolset, mode, sandbox, effort } = source
    const model = other ?? source.model
    const branch = store.sessions.create({ agentId, workspace, model, toolset, mode, sandbox, effort })
    if (message.seq === 0) store.sessions.autoTitle(branch.id, text)
    else store.sessions.update(branch.id, { title: source.title })
    copyBefore(store, source.id, message.seq, branch.id)
    const kept = message.parts.filter((part) => part.type === 'image' || (part.type === 'file' && !part.command))
    const parts = [{ type: 'text' as const, text }, ...kept, ...attachments.map(partOf)]
    store.messages.append({ sessionId: branch.id, role: 'user', parts })
    return store.sessions.get(branch.id)
  })
}

const copyBefore = (store: Store, sourceId: string, beforeSeq: number, branchId: string): void => {
  const compaction = store.messages.compaction(sourceId)
  const { messages, calls } = store.messages.page(sourceId, beforeSeq, beforeSeq)
  const callsOf = Map.groupBy(calls, (call) => call.messageId)
  const results = store.calls.results(calls)
  const natives = store.messages.natives(messages.map(({ id }) => id))
  for (const message of messages) {
    const copy = store.messages.append({
      sessionId: branchId,
      role: message.role,
      parts: [],
      ...(message.steer && { steer: true }),
      ...(message.model && { model: message.model }),
      ...(compaction?.message.id === message.id && { hidesBefore: compaction.hidesBefore }),
    })
    const ids = new Map<string, string>()
    for (const [position, call] of (callsOf.get(message.id) ?? []).entries()) {
      const { providerId, name, gist, grant } = call
      const made = store.calls.create({
        sessionId: branchId,
        messageId: copy.id,
        position,
        providerId,
        name,
        arguments: call.arguments,
        gist,
      })
      ids.set(call.id, made.id)
      const state = hasEnded(call.state)
        ? call.state
        : { status: 'aborted' as const, message: 'Not part of this branch' }
      store.calls.setState(made.id, state, grant ? { grant } : {})
      const result = results.get(call.id)
      if (result && state === call.state) store.calls.setResult(made.id, result)
    }
    const parts = message.parts.map(
      (part): Part => (part.type === 'call' ? { type: 'call', callId: ids.get(part.callId) ?? part.callId } : part),
    )
    const native = natives.get(message.id)
    if (native) store.messages.setNative(copy.id, native)
    store.messages.save({ ...copy, parts, streaming: false, ...(message.usage && { usage: message.usage }) })
  }
}

export const undoCompaction = (core: RunnerCore, sessionId: string, messageId: string): Message => {
  const { store, publish } = core.options
  const message = store.messages.get(messageId)
  const part = message.parts.find((candidate) => candidate.type === 'notice')
  if (message.sessionId !== sessionId || part?.notice.kind !== 'compaction') {
    throw new Error('There is nothing to undo here.')
  }
  part.notice.undone = true
  store.transaction(() => {
    store.messages.lift(messageId)
    store.messages.save(message)
  })
  publish({ type: 'message', message })
  return message
}
