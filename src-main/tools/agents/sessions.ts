import { z } from 'zod'
import type { Session } from '../../../src-preload/contract/sessions'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'
import type { ToolContext } from '../tool'

export interface SessionMessage {
  role: string
  content: string
  timestamp: number
}

interface SessionLine {
  /** The key, or the id of a session without one; `send` accepts both. */
  sessionKey: string
  label: string
  lastActiveAt: number
  createdAt: number
  messageCount: number
  messages?: SessionMessage[]
}

type SendOutcome =
  | { status: 'accepted'; runId: string; sessionKey: string; queued: boolean }
  | { status: 'ok'; runId: string; sessionKey: string; reply: string }
  | { status: 'timeout'; runId: string; sessionKey: string; waitedSeconds: number }

/** A session with some counts. */
export interface SessionFacts {
  session: Session
  messages: number
  /** Sessions of the same agent. */
  siblings: number
}

/** What one session can read of the others, and how it sends them messages. Throws `ToolFailure`. */
export interface SessionPost {
  list(options: { limit: number; offset: number; messageLimit: number }): SessionLine[]
  /** The last messages that contain text, oldest first. */
  history(sessionKey: string, limit: number): SessionMessage[]
  /** Unless `waitSeconds` is 0, waits for the answer to this message. */
  send(request: {
    sessionKey: string
    message: string
    waitSeconds: number
    /** Id of the sending session. */
    from: string
    signal?: AbortSignal
  }): Promise<SendOutcome>
}

const mostSessions = 100
const mostMessages = 20
const longestWait = 120

const listShape = inputShape(() =>
  z.object({
    limit: z.number().optional().describe('Default 20, at most 100'),
    offset: z.number().optional(),
    messageLimit: z.number().optional().describe('Recent messages of each, 0-20, default 0'),
  }),
)

const sendShape = inputShape(() =>
  z.object({
    sessionKey: z.string().min(1).describe('Such as "main" or "agent:helper:main"'),
    message: z.string().min(1),
    waitSeconds: z.number().optional().describe('For the answer: default 30, at most 120, 0 not to wait'),
  }),
)

const historyShape = inputShape(() =>
  z.object({ sessionKey: z.string().min(1), limit: z.number().optional().describe('Default 20, at most 100') }),
)

export function sessionTools(post: SessionPost | null | undefined) {
  const quiet = (_: unknown, { workspace }: ToolContext) =>
    ({ action: 'read', node: 'gsv', cwd: workspace, workspace, toolKey: 'session.read' }) as const

  const list: ObjectTool<ReturnType<typeof listShape.parse>> = {
    description: 'List sessions, the latest first, with key, label, times and, if asked, recent messages.',
    ...listShape,
    readOnly: true,
    access: quiet,
    gist: () => 'sessions',
    async execute(input) {
      const limit = whole(input.limit ?? 20, 1, mostSessions)
      const offset = whole(input.offset ?? 0, 0, Number.MAX_SAFE_INTEGER)
      const messageLimit = whole(input.messageLimit ?? 0, 0, mostMessages)
      const sessions = present(post).list({ limit, offset, messageLimit })
      return { sessions, count: sessions.length, offset, limit }
    },
  }

  const send: ObjectTool<ReturnType<typeof sendShape.parse>> = {
    description: 'Say something in another session, which answers with a turn of its own; wait for that answer or not.',
    ...sendShape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'send', node: 'gsv', cwd: workspace, workspace, toolKey: 'session.send' }),
    gist: ({ sessionKey, message }) => `${sessionKey}: ${message.slice(0, 120)}`,
    execute: ({ sessionKey, message, waitSeconds = 30 }, { sessionId, signal }) =>
      present(post).send({
        sessionKey,
        message,
        waitSeconds: Math.min(longestWait, Math.max(0, waitSeconds)),
        from: sessionId,
        signal,
      }),
  }

  const history: ObjectTool<ReturnType<typeof historyShape.parse>> = {
    description: 'The last messages of a session.',
    ...historyShape,
    readOnly: true,
    access: quiet,
    gist: ({ sessionKey }) => sessionKey,
    async execute({ sessionKey, limit = 20 }) {
      return { sessionKey, messages: present(post).history(sessionKey, whole(limit, 1, mostSessions)) }
    },
  }

  return { list, send, history }
}

/** Numbers out of range are clamped. */
const whole = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.trunc(value)))
