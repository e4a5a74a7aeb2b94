import { z } from 'zod'
import { agentId } from './agent-calls'
import type { Question, Rule } from './approval'
import { boxed, call, id, none, read, unasked } from './call'
import type { ProcessesLoaded, QueueEvent, TodoEvent, TranscriptLoaded } from './events'
import { longestMessage } from './messages'
import type { Provider } from './models'
import { efforts } from './models'
import type { ProcessInfo } from './processes'
import type { ReceiptsEvent } from './receipts'
import type { Recovery } from './recovery'
import type { SearchHit, Session } from './sessions'
import type { Settings } from './settings'
import { longestTerminalSide } from './terminal'
import type { ToolCall } from './tool-calls'

const text = z.string().max(longestMessage)
const name = z.string().trim().min(1).max(200)
const folder = z.string().min(1).max(4096)

/** What can be chosen for all sessions and for jobs, which nobody may be there to approve a plan of. */
export const approvalMode = z.enum(['ask', 'safe', 'workspace', 'all', 'read-only'])
const sessionMode = z.enum([...approvalMode.options, 'plan'])

const attachment = z.strictObject({
  name: z.string().max(400),
  mimeType: z.string().max(200),
  data: z.string().max(30_000_000),
})
const attachments = z.array(attachment).max(20)

const typed = z.string().max(40).optional()

const copy = z.literal(true).optional()

const answer = () =>
  z.union([
    z.strictObject({ decision: z.literal('allow'), scope: z.enum(['once', 'session']), typed, copy }),
    z.strictObject({
      decision: z.literal('allow'),
      scope: z.literal('rule'),
      offer: z.int().min(0).max(20),
      days: z.int().min(1).max(365).optional(),
      typed,
      copy,
    }),
    z.strictObject({ decision: z.literal('allow-edited'), command: z.string().min(1).max(100_000), typed }),
    z.strictObject({ decision: z.literal('apply'), typed }),
    z.strictObject({
      decision: z.literal('deny'),
      note: z.string().max(10_000).optional(),
      unanswered: z.literal(true).optional(),
    }),
    z.strictObject({ decision: z.literal('reply'), text: z.string().max(100_000) }),
    z.strictObject({
      decision: z.literal('approve-plan'),
      plan: z.string().trim().min(1).max(100_000),
      mode: z.enum(['ask', 'safe', 'workspace', 'all']),
    }),
  ])

const signal = z.enum(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP', 'SIGQUIT', 'SIGTSTP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'])

const watchedFor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().trim().min(1).max(500) }),
  z.strictObject({ kind: z.literal('silence'), seconds: z.number().min(1).max(86_400) }),
  z.strictObject({ kind: z.literal('port'), port: z.int().min(1).max(65_535) }),
  z.strictObject({ kind: z.literal('exit') }),
])

const sends = 'Send a message to the agent?'

/** Sessions, messages, questions and processes, and what the window asks of the desktop. */
export const coreCalls = {
  // At start, and after a reload: everything small that the window shows.
  hello: read<Hello>()(none),

  /** Adds what only the last backup of the database has; answers with how much that was. */
  'backup.restore': call<{ sessions: number; messages: number } | null>()(
    none,
    'Add what is in the backup of the database?',
  ),

  /** Answers with its id. */
  'session.create': unasked<string>(
    'The window makes one at its first start. It has the usual mode, and nothing is said in it.',
  )(() =>
    z.strictObject({
      workspace: folder.optional(),
      model: z.string().max(400).optional(),
      agentId: agentId.optional(),
    }),
  ),
  'session.list': read<Session[]>()(none),
  'session.update': call<null>()(
    () =>
      z.strictObject({
        id,
        title: name.optional(),
        model: z.string().max(400).optional(),
        mode: sessionMode.optional(),
        sandbox: z.boolean().optional(),
        effort: z.enum(efforts).nullable().optional(),
        workspace: folder.optional(),
        pinned: z.boolean().optional(),
        archived: z.boolean().optional(),
      }),
    ({ mode, sandbox }) => {
      if (mode === 'all') return 'Allow everything in this session, without being asked?'
      if (sandbox === true) return 'Let ordinary commands run unasked, in a sandbox?'
      return 'Change this session?'
    },
  ),
  'session.delete': call<null>()(() => z.strictObject({ id }), 'Delete a session?'),
  /** Brings back a session that was deleted a moment ago. */
  'session.restore': call<null>()(() => z.strictObject({ id }), 'Bring back a deleted session?'),
  'session.search': read<SearchHit[]>()(() => z.strictObject({ query: z.string().max(500) })),
  /** Asks where to save, and answers with the path, or null when the user changed their mind. */
  'session.export': boxed<string | null>()(() => z.strictObject({ id, format: z.enum(['markdown', 'json']) })),
  /**
   * Messages by position: `limit` of them that end before `beforeSeq` (the newest when absent), with the processes and
   * receipts of their calls; with `fresh` also the agent's list of steps.
   */
  'session.page': read<(TranscriptLoaded | ProcessesLoaded | ReceiptsEvent | TodoEvent)[]>()(() =>
    z.strictObject({
      id,
      beforeSeq: z.int().min(0).optional(),
      limit: z.int().min(1).max(500),
      fresh: z.boolean().optional(),
    }),
  ),

  'message.send': call<null>()(() => z.strictObject({ sessionId: id, text, attachments }), sends),
  /** Sends at once into the running turn, ahead of the queue. */
  'message.steer': call<null>()(() => z.strictObject({ sessionId: id, text, attachments }), sends),
  /** Replaces a past user message and goes on from there, in a new session that branches off. Answers with its id. */
  'message.branch': call<string>()(
    () => z.strictObject({ sessionId: id, messageId: id, text, model: z.string().min(1).max(1000).optional() }),
    sends,
  ),
  /** Throws away what followed the last user message and asks the model again. */
  'message.regenerate': call<null>()(() => z.strictObject({ sessionId: id }), 'Have the last message answered again?'),
  'turn.stop': unasked<null>('Stopping is never held up.')(() => z.strictObject({ sessionId: id })),
  'turn.retry': call<null>()(() => z.strictObject({ sessionId: id }), 'Let the agent continue?'),
  'compaction.undo': call<null>()(() => z.strictObject({ sessionId: id, messageId: id })),

  'queue.list': read<QueueEvent>()(() => z.strictObject({ sessionId: id })),
  'queue.edit': call<null>()(() => z.strictObject({ sessionId: id, queuedId: id, text })),
  'queue.remove': call<null>()(() => z.strictObject({ sessionId: id, queuedId: id })),
  'queue.steer': call<null>()(() => z.strictObject({ sessionId: id, queuedId: id }), sends),

  /** Where the message stands that made a call. */
  'call.place': read<{ sessionId: string; messageId: string; seq: number }>()(() => z.strictObject({ callId: id })),
  /** The whole of a result that the card shows shortened. */
  'call.output': read<string>()(() => z.strictObject({ callId: id })),
  'question.answer': call<null>()(
    () => z.strictObject({ questionId: id, answer: answer() }),
    ({ answer: { decision } }) => {
      if (decision === 'apply') return 'Apply what a trial has changed?'
      if (decision === 'reply') return 'Answer the agent?'
      if (decision === 'approve-plan') return 'Approve the plan of the agent?'
      // A refusal lets nothing happen.
      return decision === 'deny' ? null : 'Allow what the agent asks for?'
    },
  ),
  'question.list': read<{ question: Question; call: ToolCall; session: Session }[]>()(none),

  'rule.list': read<Rule[]>()(none),
  /** The last call that ran because of a rule; null where none is kept. */
  'rule.lastCall': read<string | null>()(() => z.strictObject({ id })),
  'rule.revoke': call<null>()(() => z.strictObject({ id }), 'Revoke a rule?'),

  'process.list': read<ProcessesLoaded>()(() => z.strictObject({ sessionId: id })),
  /** A terminal of the user's own. Answers with its id. */
  'process.open': call<string>()(() => z.strictObject({ sessionId: id }), 'Open a terminal?'),
  'process.signal': call<null>()(() => z.strictObject({ id, signal }), 'Send a signal to a process?'),
  'process.remove': call<null>()(() => z.strictObject({ id })),
  /** The agent is woken when it happens, once. */
  'process.watch': call<null>()(() => z.strictObject({ id, wanted: watchedFor })),
  'process.unwatch': call<null>()(() => z.strictObject({ id, watchId: id })),
  /** The plain text of the log, for copying or saving. */
  'process.text': read<string>()(() => z.strictObject({ id })),
  /** Answered by a MessagePort that the preload hands over. */
  'terminal.attach': unasked<null>('Panes are drawn as they come into view.')(() =>
    z.strictObject({ processId: id, requestId: id }),
  ),
  /** How wide the window shows terminals; those that are started from now on begin with it. */
  'terminal.columns': unasked<null>('It follows from the size of the window.')(() =>
    z.strictObject({ cols: z.int().min(20).max(longestTerminalSide) }),
  ),

  'app.chooseFolder': boxed<string | null>()(() => z.strictObject({ start: z.string().max(4096).optional() })),
  'app.openLink': call<boolean>()(() => z.strictObject({ url: z.string().max(4096) }), 'Open a link in the browser?'),
  'app.copy': call<null>()(() => z.strictObject({ text: z.string().max(10_000_000) }), 'Copy a text to the clipboard?'),
  'app.paste': call<string>()(none, 'Read what is on the clipboard?'),
  'app.revealData': call<null>()(none, 'Show the data folder?'),
  /** Shows the whole report in a window of its own; a person saves it there or does not. */
  'app.reportProblem': call<null>()(none, 'Gather a report of a problem?'),
} as const

/** Something that the user should know about this start. */
export interface StartNote {
  text: string
  /** Whether it is of a run that ended unexpectedly, which can be reported. */
  crash?: true
}

export interface Hello {
  sessions: Session[]
  settings: Settings
  providers: Provider[]
  rules: Rule[]
  questions: { question: Question; call: ToolCall; session: Session }[]
  /** Those of any session that wait for somebody to type. */
  waitingProcesses: ProcessInfo[]
  version: string
  platform: string
  /** Things to tell at start: a broken settings file that was kept aside, processes that were lost. */
  notes: StartNote[]
  /** What this start found damaged in the database. */
  recovery: Recovery | null
  /** `none` when the operating system offers no keychain and keys live only until the app quits. */
  keyStore: 'keychain' | 'none'
  /** Names of the vocabularies that a session can speak. */
  toolsets: string[]
}
