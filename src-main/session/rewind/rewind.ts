import type { Message, Notice } from '../../../src-preload/contract/messages'
import type { RewindChoice, RewindPreview, RewindScope } from '../../../src-preload/contract/rewind'
import type { Session } from '../../../src-preload/contract/sessions'
import type { WentBack } from '../../receipts/rewind-paths'
import { ownSession } from '../messaging'
import { addNotice } from '../notices'
import type { RunnerCore } from '../runner-core'
import type { Store } from '../store'

export interface RewindPorts {
  previewRewind(sessionId: string, messageId: string): Promise<RewindPreview>
  /** Back to just before a message of the user's, or just after one of the agent's. */
  rewind(sessionId: string, messageId: string, scope: RewindScope, forced: readonly RewindChoice[]): Promise<void>
  undoRewind(sessionId: string, rewindId: string): Promise<void>
}

/** Takes the chat, the files or both of a session back to a message. What goes is kept, so that this can be undone. */
export const rewindCalls = (core: RunnerCore): RewindPorts => {
  const { store, receipts } = core.options
  /** One at a time for each session: files take a while. */
  const under = new Set<string>()

  const alone = async (sessionId: string, work: (session: Session) => Promise<void>): Promise<void> => {
    const session = ownSession(core, sessionId)
    if (core.live.has(sessionId)) throw new Error('The session is working. Stop it first.')
    if (session.waiting > 0) throw new Error('The session is waiting for your answer.')
    if (under.has(sessionId)) throw new Error('The session is being rewound already.')
    under.add(sessionId)
    try {
      await work(session)
    } finally {
      under.delete(sessionId)
    }
  }

  return {
    previewRewind: async (sessionId, messageId) => {
      const { fromSeq, since } = pointOf(store, sessionId, messageId)
      const files = (await receipts?.previewBack(sessionId, since)) ?? { steps: [], stays: [] }
      return { messages: store.messages.count(sessionId) - fromSeq, ...files }
    },
    rewind: (sessionId, messageId, scope, forced) =>
      alone(sessionId, async () => {
        const { fromSeq, since } = pointOf(store, sessionId, messageId)
        const cut = scope === 'files' ? null : fromSeq
        const files = scope === 'chat' ? [] : ((await receipts?.goBack(sessionId, since, forced))?.done ?? [])
        if (cut !== null) await core.options.hosted?.hosts.forget(sessionId)
        goBack(core, sessionId, cut, files)
      }),
    undoRewind: (sessionId, rewindId) =>
      alone(sessionId, async () => {
        const rewind = store.rewinds.find(rewindId)
        if (rewind?.sessionId !== sessionId) throw new Error('This was undone already.')
        const { fromSeq, files } = rewind
        if (fromSeq !== null && store.messages.count(sessionId) < fromSeq)
          throw new Error('You have gone back further since. Undo that first.')
        const left = files.length > 0 ? ((await receipts?.goForward(files))?.left ?? []) : []
        if (fromSeq !== null) await core.options.hosted?.hosts.forget(sessionId)
        goForward(
          core,
          rewindId,
          fromSeq,
          left.map(({ path }) => path),
        )
      }),
  }
}

/** Where the chat would be cut, and the moment that files would be brought back to. */
const pointOf = (store: Store, sessionId: string, messageId: string): { fromSeq: number; since: number } => {
  const message = store.messages.get(messageId)
  if (message.sessionId !== sessionId) throw new Error('There is no such message.')
  if (message.role === 'user') return { fromSeq: message.seq, since: message.createdAt }
  const fromSeq = message.seq + 1
  return { fromSeq, since: store.messages.since(sessionId, fromSeq)[0]?.createdAt ?? Number.MAX_SAFE_INTEGER }
}

const goBack = (core: RunnerCore, sessionId: string, fromSeq: number | null, files: WentBack[]): void => {
  const { store, publish } = core.options
  const chat = fromSeq === null ? noChat : store.rewinds.chatFrom(sessionId, fromSeq)
  if (chat.messages.length === 0 && files.length === 0) throw new Error('There is nothing to go back from.')
  const rewindId = store.durably(() => {
    if (fromSeq !== null) store.messages.removeFrom(sessionId, fromSeq)
    return store.rewinds.add({ sessionId, fromSeq, chat, files })
  })
  if (fromSeq !== null) {
    core.heads.delete(sessionId)
    publish({ type: 'messages-removed', sessionId, fromSeq })
  }
  const paths = files.map(({ file }) => file.path)
  addNotice(core, sessionId, rewindNotice(rewindId, chat.messages.length, paths))
}

const noChat = { messages: [], calls: [] }

/** Restores what was removed. Messages since then are removed, and can be restored in turn. */
const goForward = (core: RunnerCore, rewindId: string, fromSeq: number | null, left: string[]): void => {
  const { store, publish } = core.options
  const rewind = store.rewinds.find(rewindId)
  if (!rewind) throw new Error('This was undone already.')
  const { sessionId, chat } = rewind
  if (fromSeq === null) {
    store.rewinds.remove(rewindId)
    const notice = noticeOf(store, sessionId, rewindId)
    if (notice) publish({ type: 'message', message: notice })
    addNotice(core, sessionId, undoneNotice(left))
    return
  }
  const { back, since, sinceId } = store.durably(() => {
    const now = store.rewinds.chatFrom(sessionId, fromSeq)
    const messages = now.messages.filter(({ parts }) => !String(parts).includes(`"rewindId":"${rewindId}"`))
    const since = { ...now, messages }
    store.messages.removeFrom(sessionId, fromSeq)
    const back = store.rewinds.putBack(chat, fromSeq).map((id) => store.messages.get(id))
    for (const message of back) store.messages.search.add(message.id)
    store.rewinds.remove(rewindId)
    const sinceId = messages.length > 0 ? store.rewinds.add({ sessionId, fromSeq, chat: since, files: [] }) : null
    return { back, since, sinceId }
  })
  core.heads.delete(sessionId)
  publish({ type: 'messages-removed', sessionId, fromSeq })
  for (const call of store.calls.ofMessages(back.map(({ id }) => id))) publish({ type: 'call', call })
  for (const message of back) publish({ type: 'message', message })
  addNotice(
    core,
    sessionId,
    undoneNotice(left, sinceId === null ? undefined : { id: sinceId, count: since.messages.length }),
  )
}

/** The notice of a rewind of files alone, which is now undone. */
const noticeOf = (store: Store, sessionId: string, rewindId: string): Message | null => {
  const message = store.messages
    .since(sessionId, 0)
    .findLast(({ parts }) => parts.some((part) => isNoticeOf(part, rewindId)))
  const part = message?.parts.find((each) => isNoticeOf(each, rewindId))
  if (!message || part?.type !== 'notice' || part.notice.kind !== 'rewind') return null
  part.notice.undone = true
  store.messages.save(message)
  return message
}

const isNoticeOf = (part: Message['parts'][number], rewindId: string): boolean =>
  part.type === 'notice' && part.notice.kind === 'rewind' && part.notice.rewindId === rewindId

const shownPaths = 10
const listed = (paths: readonly string[]): string =>
  paths.slice(0, shownPaths).join(', ') + (paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : '')
const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

const rewindNotice = (rewindId: string, messages: number, paths: readonly string[]): Notice => {
  const went = [
    ...(messages > 0 ? [counted(messages, 'message')] : []),
    ...(paths.length > 0 ? [counted(paths.length, 'file')] : []),
  ]
  const chat = messages > 0 ? 'The user took the conversation back to this point.' : ''
  const files =
    paths.length > 0
      ? `The user restored these files to how they were at an earlier point: ${listed(paths)}. Read files again before you rely on them.`
      : 'Files were not restored: they may contain work that this conversation no longer mentions.'
  return {
    kind: 'rewind',
    rewindId,
    text: [chat, files].filter(Boolean).join(' '),
    forUser: `You went back to this point (${went.join(', ')})`,
    undone: false,
  }
}

const undoneNotice = (left: readonly string[], since?: { id: string; count: number }): Notice => {
  const kept =
    left.length > 0
      ? ` ${counted(left.length, 'file')} changed since ${left.length === 1 ? 'was' : 'were'} left as is: ${listed(left)}.`
      : ''
  const text = `The user undid going back. Files may have changed: read them again before you rely on them.${kept}`
  const forUser = `You undid going back.${kept}`
  if (!since) return { kind: 'event', text, forUser }
  const aside = ` ${counted(since.count, 'newer message')} set aside.`
  return { kind: 'rewind', rewindId: since.id, text, forUser: `${forUser}${aside}`, undone: false }
}
