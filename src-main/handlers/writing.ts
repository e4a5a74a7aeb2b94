import type { Attachment } from '../../src-preload/contract/messages'
import type { writingCalls } from '../../src-preload/contract/writing-calls'
import type { Engine } from '../engine'
import { createWorkspaceFiles } from '../mentions/workspace-files'
import type { HandlersFor } from './handlers'

/** As much of another session as a message can carry and a model can read; its end is the newer part. */
const longestSession = 200_000
const mostSent = 200

/** What helps to write a message, and to find one again. */
export function writingHandlers({ store, exportSession }: Engine): HandlersFor<typeof writingCalls> {
  const files = createWorkspaceFiles()
  return {
    'mention.files': ({ sessionId, query }) => files.find(store.sessions.get(sessionId).workspace, query),
    'mention.session': ({ sessionId, otherId }): Attachment => {
      const { title } = store.sessions.get(otherId)
      if (store.taint.has(otherId)) store.taint.add(sessionId)
      const text = exportSession(otherId, 'markdown')
      const data = text.length > longestSession ? `…${text.slice(-longestSession)}` : text
      return { name: `${title.slice(0, 100)}.md`, mimeType: 'text/markdown', data }
    },
    'message.sent': ({ sessionId }) => store.messages.sent(sessionId, mostSent),
    'session.find': ({ sessionId, query }) => store.findIn(sessionId, query),
  }
}
