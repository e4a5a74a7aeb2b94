import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import { createChannels } from '../channels/channels'
import type { ChannelSessions, Channels } from '../channels/types'
import type { Database } from '../database'
import type { openLog } from '../log'
import type { Network } from '../network/network'
import { createSchedule } from '../schedule/schedule'
import type { Clock, JobSessions, Schedule, SessionNews } from '../schedule/types'
import { homeOf } from '../session/home-session'
import { isAlive } from '../session/owner'
import type { Post } from '../session/post'
import type { Runner } from '../session/runner'
import type { Store } from '../session/store'
import { cronSessionKey, isJobKey, mainSessionKey, peerSessionKey } from '../session-keys'
import type { SecretStore } from '../settings/secrets'

export interface ServiceParts {
  schedule: Schedule
  channels: Channels
  /** From here on jobs start by themselves and messages come in. */
  start(): void
  close(): Promise<void>
}

interface ServicePartsOptions {
  database: Database
  store: Store
  runner: Runner
  post: Post
  secrets: SecretStore
  network: Network
  settings(): Settings
  createSession(wish: Partial<Pick<Session, 'workspace' | 'model' | 'mode' | 'title' | 'key' | 'agentId'>>): Session
  timeZone(): string
  unknownAgent(id: string): string | null
  /** The time by which jobs run, where it is not the system's. */
  clock?: Clock
  publish(event: DeckhandEvent): void
  subscribe(listener: (event: DeckhandEvent) => void): () => void
  log: ReturnType<typeof openLog>
}

/** Joins what works without being spoken to: jobs by the clock, and messages from and to the outside. */
export function composeServices(options: ServicePartsOptions): ServiceParts {
  const { database, store, runner, post, log, publish } = options

  const mainSession = (agentId: string): string => {
    const session = post.open(mainSessionKey(agentId))
    if (!session) throw new Error(`The agent ${agentId} has no main session.`)
    return session.id
  }

  const forChannels: ChannelSessions = {
    find: (idOrKey) => post.find(idOrKey),
    forPeer: (agentId, { channel, accountId, peer, peerKind }, dmScope) => {
      const key = peerSessionKey(agentId, { channel, accountId, kind: peerKind, id: peer }, { dmScope })
      const session = post.open(key)
      if (!session) throw new Error(`There is no session for ${key}.`)
      return session.id
    },
    main: mainSession,
    say: (sessionId, text, wait) => runner.sendAndWait(sessionId, text, wait),
    show: (sessionId, text) => {
      const parts = [{ type: 'notice' as const, notice: { kind: 'event' as const, text } }]
      publish({ type: 'message', message: store.messages.append({ sessionId, role: 'system', parts }) })
    },
    taint: store.taint.add,
    homeOf: (sessionId) => homeOf(store, sessionId),
  }
  const channels = createChannels({
    database,
    secrets: options.secrets,
    sessions: forChannels,
    publish,
    log,
    onSecret: log.hide,
    fetch: options.network.fetch,
  })

  const forJobs: JobSessions = {
    main: mainSession,
    fresh: (job, limits) => {
      const key = cronSessionKey(job.agentId, job.id)
      const before = store.sessions.findByKey(key)
      if (before)
        publish({ type: 'session', session: store.sessions.update(before.id, { key: `${key}:${before.id}` }) })
      const { defaultMode } = options.settings()
      const model = job.spec.mode === 'task' ? job.spec.model : undefined
      return options.createSession({
        key,
        agentId: job.agentId,
        title: `Scheduled: ${job.name}`,
        mode: limits.mode ?? (defaultMode === 'all' ? 'safe' : defaultMode),
        ...(limits.workspace && { workspace: limits.workspace }),
        ...(model && { model }),
      }).id
    },
    say: (sessionId, text, wait) => runner.sendAndWait(sessionId, text, wait),
    questions: (sessionId) =>
      runner.questions().flatMap(({ question }) => (question.ancestry.includes(sessionId) ? [question] : [])),
    deny: (questionId, note) => runner.answer(questionId, { decision: 'deny', note }),
    stop: runner.stop,
    isTainted: store.taint.has,
    taint: store.taint.add,
    exists: (sessionId) => store.sessions.find(sessionId) !== null,
    discard: (sessionIds) => {
      for (const id of sessionIds) {
        const session = store.sessions.find(id)
        // An event is said in the main session, which stays whatever becomes of its history.
        if (session && isJobKey(session.key)) runner.deleteSession(id)
      }
    },
  }
  const schedule = createSchedule({
    database,
    sessions: forJobs,
    news: newsFrom(options),
    deliver: ({ sessionId, agentId, ...message }) => channels.deliver(message, sessionId, mainSession(agentId)),
    publish,
    log,
    timezone: options.timeZone,
    unknownAgent: options.unknownAgent,
    owner: store.owner,
    isAlive,
    clock: options.clock,
  })

  return {
    schedule,
    channels,
    start: () => {
      schedule.start()
      channels.start().catch((error: unknown) => log.error('Channels could not be opened', { error }))
    },
    close: async () => {
      schedule.close()
      await channels.close()
    },
  }
}

/** The few events that bear on jobs. */
const newsFrom = ({ runner, subscribe }: Pick<ServicePartsOptions, 'runner' | 'subscribe'>): SessionNews => ({
  onQuestions: (listener) => {
    const open = new Set(runner.questions().map(({ call }) => call.id))
    return subscribe((event) => {
      if (event.type === 'session-removed') listener()
      if (event.type !== 'call') return
      const asks = event.call.state.status === 'awaiting'
      if (asks === open.has(event.call.id)) return
      if (asks) open.add(event.call.id)
      else open.delete(event.call.id)
      listener()
    })
  },
  onTurnEnd: (listener) => subscribe((event) => event.type === 'turn-end' && listener(event.sessionId, event)),
})
