import type { Answer } from '../../src-preload/contract/approval'
import { type Attachment, longestMessage } from '../../src-preload/contract/messages'
import { call } from './bridge'
import { focusComposer, selectSession } from './navigate'
import { getState, setState } from './store'
import { attempt, toast } from './toasts'
import { loadLatest } from './transcript-pages'

/** The user's actions in the chat: drafts, messages, the running turn, the queue, and answers to questions. */

/** Sends the composer's draft; a refused message goes back into it. */
export function sendDraft(sessionId: string, how: 'send' | 'steer'): void {
  const { drafts, attachments } = getState()
  const text = drafts[sessionId] ?? ''
  const files = attachments[sessionId] ?? []
  if (!text.trim() && files.length === 0) return
  if (text.length > longestMessage) {
    const most = longestMessage.toLocaleString('en')
    toast({ kind: 'error', text: `A message can have at most ${most} characters. Attach longer text as a file.` })
    return
  }
  setDraft(sessionId, '')
  setAttachments(sessionId, [])
  // A sent message is shown at the end, wherever the user was reading.
  if (getState().transcripts[sessionId]?.latest === false) attempt(loadLatest(sessionId))
  send(sessionId, text, files, how).catch((error: Error) => {
    if (!getState().drafts[sessionId]) setDraft(sessionId, text)
    if (!getState().attachments[sessionId]?.length) setAttachments(sessionId, files)
    toast({ kind: 'error', text: error.message })
  })
}

export function send(sessionId: string, text: string, attachments: Attachment[] = [], how: 'send' | 'steer' = 'send') {
  return call(how === 'steer' ? 'message.steer' : 'message.send', { sessionId, text, attachments })
}

export const setDraft = (sessionId: string, text: string) =>
  setState((state) => {
    const { [sessionId]: _, ...others } = state.drafts
    return { drafts: text ? { ...others, [sessionId]: text } : others }
  })

/** Adds a text from a link below the existing draft, for the user to send. */
export function addToDraft(text: string): void {
  const { selectedId, drafts } = getState()
  if (!selectedId) return
  setState({ page: 'chat', overlay: null })
  setDraft(selectedId, [drafts[selectedId], text].filter(Boolean).join('\n\n'))
  focusComposer()
  toast({ kind: 'info', text: 'A link has filled the message box. Read it before you send it.' })
}

export const setAttachments = (sessionId: string, attachments: Attachment[]) =>
  setState((state) => ({ attachments: { ...state.attachments, [sessionId]: attachments } }))

/** Continues from a message in a new session, with another model or agent if one is given. */
export function branch(sessionId: string, messageId: string, text: string, model?: string): void {
  attempt(call('message.branch', { sessionId, messageId, text, model }).then(selectSession))
}

export const regenerate = (sessionId: string) => attempt(call('message.regenerate', { sessionId }))
export const retry = (sessionId: string) => attempt(call('turn.retry', { sessionId }))
export const stopTurn = (sessionId: string) => attempt(call('turn.stop', { sessionId }))
export const undoCompaction = (sessionId: string, messageId: string) =>
  attempt(call('compaction.undo', { sessionId, messageId }))

export const undoRewind = (sessionId: string, rewindId: string) => attempt(call('rewind.undo', { sessionId, rewindId }))
export const editQueued = (sessionId: string, queuedId: string, text: string) =>
  attempt(call('queue.edit', { sessionId, queuedId, text }))

export const removeQueued = (sessionId: string, queuedId: string) =>
  attempt(call('queue.remove', { sessionId, queuedId }))

export const steerQueued = (sessionId: string, queuedId: string) =>
  attempt(call('queue.steer', { sessionId, queuedId }))

/** Rejects when main refuses, so that the card can stay open and show why. */
export const answerQuestion = (questionId: string, answer: Answer) => call('question.answer', { questionId, answer })
