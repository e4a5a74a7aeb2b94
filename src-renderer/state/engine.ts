import type { Question, Rule } from '../../src-preload/contract/approval'
import type { Hello } from '../../src-preload/contract/core-calls'
import type { DeckhandEvent, LoadedEvent, StopReason } from '../../src-preload/contract/events'
import type { Message, QueuedMessage, TranscriptPage } from '../../src-preload/contract/messages'
import type { Provider } from '../../src-preload/contract/models'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import type { TodoItem, ToolCall } from '../../src-preload/contract/tool-calls'
import { noServices, type Services, serviceChange } from './services'

/** The part of a session's messages that has been read: a gapless run that ends at the newest. */
export interface Transcript {
  messages: Message[]
  /** How many messages were put in front since the first page; the virtual list keeps its place by it. */
  prepended: number
  /** Nothing older is left to read. */
  complete: boolean
}

export interface OpenQuestion {
  question: Question
  call: ToolCall
}

export type Silence = Extract<DeckhandEvent, { type: 'waiting' }>

/** What the main process has told the window. Only `greet` and `reduce` make a new one. */
export interface Engine extends Services {
  connection: 'connecting' | 'ready' | 'failed'
  connectionError: string
  /** Why main has not answered yet. */
  connectionNote: string
  sessions: Record<string, Session>
  transcripts: Record<string, Transcript>
  calls: Record<string, ToolCall>
  queues: Record<string, QueuedMessage[]>
  processes: Record<string, ProcessInfo>
  questions: Record<string, OpenQuestion>
  rules: Rule[]
  settings: Settings | null
  providers: Provider[]
  /** Silent streams by session: how long until they are given up. */
  silences: Record<string, Silence>
  todos: Record<string, TodoItem[]>
  /** Why the last turn of a session ended, until the next one starts. */
  lastStop: Record<string, StopReason>
  version: string
  platform: string
  keyStore: Hello['keyStore']
  toolsets: Hello['toolsets']
}

export const emptyEngine: Engine = {
  connection: 'connecting',
  connectionError: '',
  connectionNote: '',
  sessions: {},
  transcripts: {},
  calls: {},
  queues: {},
  processes: {},
  questions: {},
  rules: [],
  settings: null,
  providers: [],
  silences: {},
  todos: {},
  lastStop: {},
  version: '',
  platform: '',
  keyStore: 'keychain',
  toolsets: [],
  ...noServices,
}

/** The state after the first words with main; transcripts are read again, as they may have changed meanwhile. */
export function greet(hello: Hello): Engine {
  return {
    ...emptyEngine,
    connection: 'ready',
    sessions: Object.fromEntries(hello.sessions.map((session) => [session.id, session])),
    calls: Object.fromEntries(hello.questions.map(({ call }) => [call.id, call])),
    questions: Object.fromEntries(hello.questions.map(({ question, call }) => [question.id, { question, call }])),
    rules: hello.rules,
    settings: hello.settings,
    providers: hello.providers,
    version: hello.version,
    platform: hello.platform,
    keyStore: hello.keyStore,
    toolsets: hello.toolsets,
  }
}

/** The one way in for what main announces, and for what it answers to a call that reads. */
export function reduce(state: Engine, event: DeckhandEvent | LoadedEvent): Engine {
  switch (event.type) {
    case 'session':
      return {
        ...state,
        sessions: { ...state.sessions, [event.session.id]: event.session },
        silences: event.session.status === 'running' ? state.silences : without(state.silences, event.session.id),
        lastStop: event.session.status === 'running' ? without(state.lastStop, event.session.id) : state.lastStop,
      }
    case 'session-removed':
      return removeSession(state, event.sessionId)
    case 'message':
      return {
        ...putMessage(state, event.message),
        silences: without(state.silences, event.message.sessionId),
      }
    case 'messages-removed':
      return changeTranscript(state, event.sessionId, (transcript) => ({
        ...transcript,
        messages: transcript.messages.filter((message) => message.seq < event.fromSeq),
      }))
    case 'delta':
      return {
        ...changeTranscript(state, event.sessionId, (transcript) => addDelta(transcript, event)),
        silences: without(state.silences, event.sessionId),
      }
    case 'call':
      return putCall(state, event.call)
    case 'queue':
      return { ...state, queues: { ...state.queues, [event.sessionId]: event.queue } }
    case 'transcript':
      return addPage(state, event.sessionId, event.page)
    case 'processes':
      return addProcesses(state, event.processes)
    case 'process':
      return { ...state, processes: { ...state.processes, [event.process.id]: event.process } }
    case 'process-removed':
      return { ...state, processes: without(state.processes, event.processId) }
    case 'rules':
      return { ...state, rules: event.rules }
    case 'settings':
      return { ...state, settings: event.settings }
    case 'providers':
      return { ...state, providers: event.providers }
    case 'waiting':
      return { ...state, silences: { ...state.silences, [event.sessionId]: event } }
    case 'todo':
      return { ...state, todos: { ...state.todos, [event.sessionId]: event.items } }
    case 'turn-end':
      return {
        ...state,
        lastStop: { ...state.lastStop, [event.sessionId]: event.reason },
        silences: without(state.silences, event.sessionId),
      }
    // These say where to look and what happened, not what is: `connect` follows them.
    case 'open-session':
    case 'note':
      return state
    default:
      return { ...state, ...serviceChange(state, event) }
  }
}

/** Puts a page of older messages in front, or makes the first one of a session. */
function addPage(state: Engine, sessionId: string, page: TranscriptPage): Engine {
  const known = state.transcripts[sessionId]
  const first = known?.messages[0]
  const older = first ? page.messages.filter((message) => message.seq < first.seq) : page.messages
  const messages = known ? [...older, ...known.messages] : older
  // A call that an event brought meanwhile is newer than the same call on the page.
  const calls = { ...state.calls }
  for (const call of page.calls) calls[call.id] ??= call
  return {
    ...state,
    calls,
    transcripts: {
      ...state.transcripts,
      [sessionId]: {
        messages,
        prepended: known ? known.prepended + older.length : 0,
        complete: page.messages.length === 0 || messages.length >= page.total,
      },
    },
  }
}

function addProcesses(state: Engine, processes: ProcessInfo[]): Engine {
  const known = { ...state.processes }
  for (const process of processes) known[process.id] = process
  return { ...state, processes: known }
}

function putMessage(state: Engine, message: Message): Engine {
  return changeTranscript(state, message.sessionId, (transcript) => {
    const { messages } = transcript
    const index = messages.findLastIndex((other) => other.id === message.id)
    if (index >= 0) return { ...transcript, messages: messages.with(index, message) }
    const after = messages.findLastIndex((other) => other.seq < message.seq)
    if (after < 0 && !transcript.complete && messages.length > 0) return transcript
    return { ...transcript, messages: messages.toSpliced(after + 1, 0, message) }
  })
}

function addDelta(transcript: Transcript, delta: Extract<DeckhandEvent, { type: 'delta' }>): Transcript {
  const index = transcript.messages.findLastIndex((message) => message.id === delta.messageId)
  const message = transcript.messages[index]
  if (!message || delta.partIndex > message.parts.length) return transcript
  const part = message.parts[delta.partIndex]
  const parts = [...message.parts]
  if (!part) parts[delta.partIndex] = { type: delta.kind, text: delta.text }
  else if (part.type === delta.kind) parts[delta.partIndex] = { ...part, text: part.text + delta.text }
  else return transcript
  return { ...transcript, messages: transcript.messages.with(index, { ...message, parts }) }
}

function putCall(state: Engine, call: ToolCall): Engine {
  const questions = Object.fromEntries(Object.entries(state.questions).filter(([, open]) => open.call.id !== call.id))
  if (call.state.status === 'awaiting') questions[call.state.question.id] = { question: call.state.question, call }
  return { ...state, calls: { ...state.calls, [call.id]: call }, questions }
}

function removeSession(state: Engine, sessionId: string): Engine {
  const elsewhere = <Value extends { sessionId: string }>(entries: Record<string, Value>) =>
    Object.fromEntries(Object.entries(entries).filter(([, value]) => value.sessionId !== sessionId))
  return {
    ...state,
    sessions: without(state.sessions, sessionId),
    transcripts: without(state.transcripts, sessionId),
    queues: without(state.queues, sessionId),
    silences: without(state.silences, sessionId),
    todos: without(state.todos, sessionId),
    lastStop: without(state.lastStop, sessionId),
    calls: elsewhere(state.calls),
    processes: elsewhere(state.processes),
    receipts: elsewhere(state.receipts),
    questions: Object.fromEntries(
      Object.entries(state.questions).filter(([, open]) => open.question.sessionId !== sessionId),
    ),
  }
}

function changeTranscript(state: Engine, sessionId: string, change: (transcript: Transcript) => Transcript): Engine {
  // A session that was never opened is read as a page when it is.
  const transcript = state.transcripts[sessionId]
  if (!transcript) return state
  return { ...state, transcripts: { ...state.transcripts, [sessionId]: change(transcript) } }
}

function without<Value>(record: Record<string, Value>, key: string): Record<string, Value> {
  if (!Object.hasOwn(record, key)) return record
  const { [key]: _, ...rest } = record
  return rest
}
