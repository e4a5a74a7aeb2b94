import { z } from 'zod'
import { agentId } from './agent-calls'
import type { Question, Rule } from './approval'
import { call, id, none } from './call'
import type { Message, QueuedMessage, TranscriptPage } from './messages'
import type { Provider } from './models'
import type { ProcessInfo } from './processes'
import type { SearchHit, Session } from './sessions'
import type { Settings } from './settings'
import type { ToolCall } from './tool-calls'

const text = z.string().max(1_000_000)
const name = z.string().trim().min(1).max(200)
const folder = z.string().min(1).max(4096)

export const approvalMode = z.enum(['ask', 'safe', 'workspace', 'all', 'read-only'])

const attachment = z.strictObject({
  name: z.string().max(400),
  mimeType: z.string().max(200),
  data: z.string().max(30_000_000),
})
const attachments = z.array(attachment).max(20)

const typed = z.string().max(40).optional()

export const answer = z.union([
  z.strictObject({ decision: z.literal('allow'), scope: z.enum(['once', 'session']), typed }),
  z.strictObject({
    decision: z.literal('allow'),
    scope: z.literal('rule'),
    offer: z.int().min(0).max(20),
    days: z.int().min(1).max(365).optional(),
    typed,
  }),
  z.strictObject({ decision: z.literal('allow-edited'), command: z.string().min(1).max(100_000), typed }),
  z.strictObject({ decision: z.literal('apply'), typed }),
  z.strictObject({
    decision: z.literal('deny'),
    note: z.string().max(10_000).optional(),
    unanswered: z.literal(true).optional(),
  }),
  z.strictObject({ decision: z.literal('reply'), text: z.string().max(100_000) }),
])

const signal = z.enum(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP', 'SIGQUIT', 'SIGTSTP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'])

const watchedFor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().trim().min(1).max(500) }),
  z.strictObject({ kind: z.literal('silence'), seconds: z.number().min(1).max(86_400) }),
  z.strictObject({ kind: z.literal('port'), port: z.int().min(1).max(65_535) }),
  z.strictObject({ kind: z.literal('exit') }),
])

/** Sessions, messages, questions and processes, and what the window asks of the desktop. */
export const coreCalls = {
  // At start, and after a reload: everything small that the window shows.
  hello: call<Hello>()(none),

  'session.create': call<Session>()(
    z.strictObject({
      workspace: folder.optional(),
      model: z.string().max(400).optional(),
      agentId: agentId.optional(),
    }),
  ),
  'session.list': call<Session[]>()(none),
  'session.update': call<Session>()(
    z.strictObject({
      id,
      title: name.optional(),
      model: z.string().max(400).optional(),
      mode: approvalMode.optional(),
      sandbox: z.boolean().optional(),
      workspace: folder.optional(),
    }),
  ),
  'session.delete': call<null>()(z.strictObject({ id })),
  /** Brings back a session that was deleted a moment ago. */
  'session.restore': call<Session>()(z.strictObject({ id })),
  'session.search': call<SearchHit[]>()(z.strictObject({ query: z.string().max(500) })),
  /** Asks where to save, and answers with the path, or null when the user changed their mind. */
  'session.export': call<string | null>()(z.strictObject({ id, format: z.enum(['markdown', 'json']) })),
  /** Messages by position: `limit` of them that end before `beforeSeq` (the newest when absent). */
  'session.page': call<TranscriptPage>()(
    z.strictObject({ id, beforeSeq: z.int().min(0).optional(), limit: z.int().min(1).max(500) }),
  ),

  'message.send': call<null>()(z.strictObject({ sessionId: id, text, attachments })),
  /** Sends at once into the running turn, ahead of the queue. */
  'message.steer': call<null>()(z.strictObject({ sessionId: id, text, attachments })),
  /** Replaces a past user message and goes on from there, in a new session that branches off. */
  'message.branch': call<Session>()(z.strictObject({ sessionId: id, messageId: id, text })),
  /** Throws away what followed the last user message and asks the model again. */
  'message.regenerate': call<null>()(z.strictObject({ sessionId: id })),
  'turn.stop': call<null>()(z.strictObject({ sessionId: id })),
  'turn.retry': call<null>()(z.strictObject({ sessionId: id })),
  'compaction.undo': call<Message>()(z.strictObject({ sessionId: id, messageId: id })),

  'queue.list': call<QueuedMessage[]>()(z.strictObject({ sessionId: id })),
  'queue.edit': call<QueuedMessage[]>()(z.strictObject({ sessionId: id, queuedId: id, text })),
  'queue.remove': call<QueuedMessage[]>()(z.strictObject({ sessionId: id, queuedId: id })),
  'queue.steer': call<null>()(z.strictObject({ sessionId: id, queuedId: id })),

  /** The whole of a result that the card shows shortened. */
  'call.output': call<string>()(z.strictObject({ callId: id })),
  'question.answer': call<null>()(z.strictObject({ questionId: id, answer })),
  'question.list': call<{ question: Question; call: ToolCall; session: Session }[]>()(none),

  'rule.list': call<Rule[]>()(none),
  'rule.revoke': call<Rule[]>()(z.strictObject({ id })),

  'process.list': call<ProcessInfo[]>()(z.strictObject({ sessionId: id })),
  'process.open': call<ProcessInfo>()(z.strictObject({ sessionId: id })),
  'process.signal': call<null>()(z.strictObject({ id, signal })),
  'process.remove': call<null>()(z.strictObject({ id })),
  /** The agent is woken when it happens, once. */
  'process.watch': call<null>()(z.strictObject({ id, wanted: watchedFor })),
  'process.unwatch': call<null>()(z.strictObject({ id, watchId: id })),
  /** The plain text of the log, for copying or saving. */
  'process.text': call<string>()(z.strictObject({ id })),
  /** Answered by a MessagePort that the preload hands over. */
  'terminal.attach': call<null>()(z.strictObject({ processId: id, requestId: id })),
  /** How wide the window shows terminals; those that are started from now on begin with it. */
  'terminal.columns': call<null>()(z.strictObject({ cols: z.int().min(20).max(1000) })),

  'app.chooseFolder': call<string | null>()(z.strictObject({ start: z.string().max(4096).optional() })),
  'app.openLink': call<boolean>()(z.strictObject({ url: z.string().max(4096) })),
  'app.copy': call<null>()(z.strictObject({ text: z.string().max(10_000_000) })),
  'app.paste': call<string>()(none),
  'app.revealData': call<null>()(none),
} as const

export interface Hello {
  sessions: Session[]
  settings: Settings
  providers: Provider[]
  rules: Rule[]
  questions: { question: Question; call: ToolCall; session: Session }[]
  version: string
  platform: string
  /** Things to tell at start: a broken settings file that was kept aside, processes that were lost. */
  notes: string[]
  /** `none` when the operating system offers no keychain and keys live only until the app quits. */
  keyStore: 'keychain' | 'none'
  /** Names of the vocabularies that a session can speak. */
  toolsets: string[]
}
