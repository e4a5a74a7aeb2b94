import { z } from 'zod'
import { call, id, read } from './call'
import type { Attachment } from './messages'
import type { FoundMessage, MentionedFile } from './writing'

/** What helps to write a message, and to find one again. */
export const writingCalls = {
  /** Files and folders of the session's workspace whose path holds the letters of the query in this order, best first. */
  'mention.files': read<MentionedFile[]>()(() => z.strictObject({ sessionId: id, query: z.string().max(500) })),
  /** What was said in another session, to go with a message of this one. If that read untrusted text, so has this one then. */
  'mention.session': call<Attachment>()(
    () => z.strictObject({ sessionId: id, otherId: id }),
    'Attach what was said in another session?',
  ),
  /** What the user has sent in this session, newest first. */
  'message.sent': read<string[]>()(() => z.strictObject({ sessionId: id })),
  /** Every message of the session that holds this text, oldest first. */
  'session.find': read<FoundMessage[]>()(() => z.strictObject({ sessionId: id, query: z.string().min(1).max(500) })),
}
