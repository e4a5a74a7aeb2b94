import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message } from '../../src-preload/contract/messages'
import type { Session } from '../../src-preload/contract/sessions'
import { agentOfKey, canonicalKey, type KeyRules } from '../session-keys'
import type { SessionMessage, SessionPost } from '../tools/agents/sessions'
import { ToolFailure } from '../tools/tool'
import type { Runner } from './runner'
import type { Store } from './store'

type SessionWish = Partial<Pick<Session, 'toolset' | 'workspace' | 'model'>>

/** What sessions can say to one another, and how others find the one they mean. */
export interface Post extends SessionPost {
  /** The session of a key, made if there is none yet; `null` for what is neither a key nor an id. */
  open(keyOrId: string, wish?: SessionWish): Session | null
  find(keyOrId: string): Session | null
}

interface PostDeps {
  store: Store
  runner: Pick<Runner, 'send' | 'updateSession'>
  subscribe(listener: (event: DeckhandEvent) => void): () => void
  createSession(wish: SessionWish & { key: string; agentId: string; title: string }): Session
  rules(): KeyRules
  /** An error message if there is no such agent; null if there is. */
  unknownAgent(id: string): string | null
  /** The model for an answer to a session whose own is `asking`; undefined for the usual one. */
  answeringModel(own: string | undefined, asking: string): string | undefined
}

type TurnEnd = Extract<DeckhandEvent, { type: 'turn-end' }>

export const createPost = (deps: PostDeps): Post => {
  const { store } = deps

  const find = (keyOrId: string): Session | null => {
    const key = canonicalKey(keyOrId, deps.rules())
    return key ? store.sessions.findByKey(key) : store.sessions.find(keyOrId)
  }

  const open: Post['open'] = (keyOrId, wish = {}) => {
    const found = find(keyOrId)
    const key = canonicalKey(keyOrId, deps.rules())
    if (found || !key) return found
    return deps.createSession({ key, agentId: agentOfKey(key), title: titleOf(key), ...wish })
  }

  /** The session that a message from another one goes to. Where it has no model of its own it gets that of the other. */
  const addressed = (keyOrId: string, origin: Session | null): Session | null => {
    const key = canonicalKey(keyOrId, deps.rules())
    const unknown = key && !find(keyOrId) ? deps.unknownAgent(agentOfKey(key)) : null
    if (unknown !== null) throw new ToolFailure('NotFound', unknown)
    if (!origin) return open(keyOrId)
    const { toolset, workspace } = origin
    const first = deps.answeringModel(undefined, origin.model)
    const session = open(keyOrId, { toolset, workspace, model: first })
    if (!session || session.id === origin.id) return session
    const model = deps.answeringModel(session.model, origin.model)
    return model === undefined || model === session.model ? session : deps.runner.updateSession(session.id, { model })
  }

  const lastWords = (sessionId: string, limit: number): SessionMessage[] => {
    if (limit <= 0) return []
    // Messages of calls alone have no words; a few more rows make up for them.
    const { messages } = store.messages.page(sessionId, undefined, limit * 4 + 20)
    return messages.flatMap(lineOf).slice(-limit)
  }

  return {
    open,
    find,
    history: (keyOrId, limit) => {
      const session = find(keyOrId)
      if (!session) throw unknownSession(keyOrId)
      return lastWords(session.id, limit)
    },
    list: ({ limit, offset, messageLimit }) =>
      store.sessions
        .list()
        // Sub-agents are shown with their parent, not here.
        .filter(({ parentId }) => parentId === null)
        .slice(offset, offset + limit)
        .map((session) => ({
          sessionKey: session.key || session.id,
          label: session.title,
          lastActiveAt: session.updatedAt,
          createdAt: session.createdAt,
          messageCount: store.messages.count(session.id),
          ...(messageLimit > 0 && { messages: lastWords(session.id, messageLimit) }),
        })),
    async send({ sessionKey, message, waitSeconds, from, signal }) {
      const origin = store.sessions.find(from)
      const session = addressed(sessionKey, origin)
      if (!session) throw unknownSession(sessionKey)
      if (session.id === from && waitSeconds > 0)
        throw new ToolFailure(
          'InvalidArgs',
          'A session cannot wait for an answer from itself; use waitSeconds 0, or answer directly',
        )
      const key = session.key || session.id
      const runId = deps.runner.send(session.id, message, [])
      const queued = store.queue.list(session.id).some(({ id }) => id === runId)
      if (waitSeconds <= 0) return { status: 'accepted', runId, sessionKey: key, queued }

      const { promise, stop } = answerTo(deps.subscribe, session.id, runId, queued)
      try {
        const end = await within(promise, waitSeconds * 1000, signal)
        if (end === 'late') return { status: 'timeout', runId, sessionKey: key, waitedSeconds: waitSeconds }
        if (!end) throw new ToolFailure('ExecutionFailed', 'The message was taken back before it was read')
        if (end.reason === 'done' || end.reason === 'limit')
          return { status: 'ok', runId, sessionKey: key, reply: end.text }
        throw new ToolFailure(
          'ExecutionFailed',
          `The turn there ended without an answer: ${end.error?.message ?? end.reason}`,
        )
      } finally {
        stop()
      }
    },
  }
}

/** Settles with the end of the turn that answered the message; `null` when it was taken back unread. */
const answerTo = (subscribe: PostDeps['subscribe'], sessionId: string, messageId: string, queued: boolean) => {
  const { promise, resolve } = Promise.withResolvers<TurnEnd | null>()
  let said = !queued
  const stop = subscribe((event) => {
    if (event.type === 'message' && event.message.id === messageId) said = true
    if (event.type === 'turn-end' && event.sessionId === sessionId && said) resolve(event)
    if (event.type === 'session-removed' && event.sessionId === sessionId) resolve(null)
    if (event.type === 'queue' && event.sessionId === sessionId && !said) {
      // A message that leaves the queue is said right after; one that is not was removed.
      const waits = event.queue.some(({ id }) => id === messageId)
      if (!waits) setImmediate(() => said || resolve(null))
    }
  })
  return { promise, stop }
}

async function within<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | 'late'> {
  signal?.throwIfAborted()
  const { promise: late, resolve, reject } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), ms)
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const unknownSession = (name: string): ToolFailure =>
  new ToolFailure('NotFound', `There is no session ${JSON.stringify(name)}`)

const lineOf = (message: Message): SessionMessage[] => {
  const content = message.parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'notice' ? [part.notice.text] : []))
    .join('\n')
  return content === '' || message.streaming ? [] : [{ role: message.role, content, timestamp: message.createdAt }]
}

/** Its title until the user changes it. */
const titleOf = (key: string): string => {
  const [, agent = '', ...rest] = key.split(':')
  const name = agent.charAt(0).toUpperCase() + agent.slice(1)
  return rest.length === 1 ? name : `${name}: ${rest.join(' ')}`
}
