import type { Question, Rule } from '../../src-preload/contract/approval'
import type { Hello } from '../../src-preload/contract/core-calls'
import type { DeckhandEvent, LoadedEvent, StopReason } from '../../src-preload/contract/events'
import type { Message, QueuedMessage } from '../../src-preload/contract/messages'
import type { Provider } from '../../src-preload/contract/models'
import type { Preview } from '../../src-preload/contract/preview'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Recovery } from '../../src-preload/contract/recovery'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import type { TodoItem, ToolCall } from '../../src-preload/contract/tool-calls'
import { noServices, type Services, serviceChange } from './services'

/** The loaded part of a session's messages, without gaps. */
export interface Transcript {
  messages: Message[]
  /** Messages prepended since the first page, minus those dropped; the virtual list needs it to keep its position. */
  prepended: number
  /** Whether there is nothing older to load. */
  complete: boolean
  /** Whether it ends at the newest message, so that new ones are added to it. */
  latest: boolean
  /** Changes when another part of the session is loaded that is not connected to the previous one. */
  run: number
}

export interface OpenQuestion {
  question: Question
  call: ToolCall
}

type Silence = Extract<DeckhandEvent, { type: 'waiting' }>

/** What the main process has sent. Only `greet` and `reduce` create a new one. */
export interface MainState extends Services {
  connection: 'connecting' | 'ready' | 'failed'
  connectionError: string
  /** Why main has not answered yet. */
  connectionNote: string
  /** What was found damaged at startup, until the user has read it. */
  recovery: Recovery | null
  sessions: Record<string, Session>
  /**
   * Sessions whose messages, calls and terminals are loaded, the last shown first. Of others only what waits is known.
   */
  opened: string[]
  transcripts: Record<string, Transcript>
  calls: Record<string, ToolCall>
  queues: Record<string, QueuedMessage[]>
  processes: Record<string, ProcessInfo>
  questions: Record<string, OpenQuestion>
  rules: Rule[]
  settings: Settings | null
  providers: Provider[]
  /** Streams that are silent, by session: how long until the request is given up. */
  silences: Record<string, Silence>
  todos: Record<string, TodoItem[]>
  /** The page that is shown beside the chat. */
  preview: Preview | null
  /** Sessions whose last turn ended while another was shown, until they are opened. */
  unread: Record<string, true>
  /** Why the last turn of a session ended, until the next one starts. */
  lastStop: Record<string, StopReason>
  version: string
  platform: string
  keyStore: Hello['keyStore']
  toolsets: Hello['toolsets']
}

export const emptyMainState: MainState = {
  connection: 'connecting',
  connectionError: '',
  connectionNote: '',
  sessions: {},
  opened: [],
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
  preview: null,
  unread: {},
  lastStop: {},
  version: '',
  platform: '',
  keyStore: 'keychain',
  recovery: null,
  toolsets: [],
  ...noServices,
}

/** The state after `hello`; transcripts are loaded again, since they may have changed. */
export function greet(hello: Hello): MainState {
  return {
    ...emptyMainState,
    connection: 'ready',
    sessions: Object.fromEntries(hello.sessions.map((session) => [session.id, session])),
    questions: Object.fromEntries(hello.questions.map(({ question, call }) => [question.id, { question, call }])),
    processes: Object.fromEntries(hello.waitingProcesses.map((process) => [process.id, process])),
    rules: hello.rules,
    settings: hello.settings,
    providers: hello.providers,
    version: hello.version,
    platform: hello.platform,
    keyStore: hello.keyStore,
    recovery: hello.recovery,
    toolsets: hello.toolsets,
  }
}

/** The only way in for events of main, and for its answers to calls that read. */
export function reduce(state: MainState, event: DeckhandEvent | LoadedEvent): MainState {
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
      return removeMessages(state, event.sessionId, event.fromSeq)
    case 'delta':
      return {
        ...changeTranscript(state, event.sessionId, (transcript) => addDelta(transcript, event)),
        silences: without(state.silences, event.sessionId),
      }
    case 'call':
      return putCall(state, event.call)
    case 'queue':
      return isOpen(state, event.sessionId)
        ? { ...state, queues: { ...state.queues, [event.sessionId]: event.queue } }
        : state
    case 'transcript':
      return isOpen(state, event.sessionId) ? addPage(state, event) : state
    case 'processes':
      return isOpen(state, event.sessionId) ? addProcesses(state, event.processes) : state
    case 'process':
      return putProcess(state, event.process)
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
    case 'preview':
      return { ...state, preview: event.preview }
    case 'turn-end':
      return {
        ...state,
        lastStop: { ...state.lastStop, [event.sessionId]: event.reason },
        unread: state.opened[0] === event.sessionId ? state.unread : { ...state.unread, [event.sessionId]: true },
        silences: without(state.silences, event.sessionId),
      }
    // These only say what happened or where to go, so they change no state: `connect` handles them.
    case 'open-session':
    case 'compose':
    case 'note':
      return state
    default:
      return { ...state, ...serviceChange(state, event) }
  }
}

/** Makes a session the one that is shown. Drops what is loaded of those shown longest ago. */
export function open(state: MainState, sessionId: string): MainState {
  if (state.opened[0] === sessionId && !state.unread[sessionId]) return state
  const opened = [sessionId, ...state.opened.filter((id) => id !== sessionId)]
  const kept = opened.slice(0, mostOpened)
  return opened.slice(mostOpened).reduce(letGo, {
    ...state,
    opened: kept,
    unread: without(state.unread, sessionId),
  })
}

/** The one that is shown, and those that the user may switch back to. */
const mostOpened = 3

const isOpen = (state: MainState, sessionId: string) => state.opened.includes(sessionId)

/** Adds a page before or after the loaded messages, or replaces them. */
function addPage(
  state: MainState,
  { sessionId, page, fresh }: Extract<LoadedEvent, { type: 'transcript' }>,
): MainState {
  const known = fresh ? undefined : state.transcripts[sessionId]
  const [first, last] = [known?.messages[0], known?.messages.at(-1)]
  const older = first ? page.messages.filter((message) => message.seq < first.seq) : page.messages
  const newer = last ? page.messages.filter((message) => message.seq > last.seq) : []
  // The loaded messages have changed since this page was requested.
  if (first && older.length > 0 && older.at(-1)?.seq !== first.seq - 1) return state
  if (last && newer.length > 0 && newer[0]?.seq !== last.seq + 1) return state
  const messages = known ? [...older, ...known.messages, ...newer] : older
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
        complete:
          known?.complete || page.messages.length === 0 || messages[0]?.seq === 0 || messages.length >= page.total,
        latest: known?.latest || page.messages.length === 0 || (messages.at(-1)?.seq ?? 0) >= page.total - 1,
        run: known?.run ?? (state.transcripts[sessionId]?.run ?? 0) + 1,
      },
    },
  }
}

function addProcesses(state: MainState, processes: ProcessInfo[]): MainState {
  const known = { ...state.processes }
  for (const process of processes) known[process.id] = process
  return { ...state, processes: known }
}

function putMessage(state: MainState, message: Message): MainState {
  return changeTranscript(state, message.sessionId, (transcript) => {
    const { messages } = transcript
    const index = messages.findLastIndex((other) => other.id === message.id)
    if (index >= 0) return { ...transcript, messages: messages.with(index, message) }
    const after = messages.findLastIndex((other) => other.seq < message.seq)
    if (after < 0 && !transcript.complete && messages.length > 0) return transcript
    if (after === messages.length - 1 && !transcript.latest) return transcript
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

function putCall(state: MainState, call: ToolCall): MainState {
  const asks = call.state.status === 'awaiting' ? call.state.question : null
  const questions = Object.fromEntries(
    Object.entries(state.questions).filter(([id, open]) => open.call.id !== call.id || id === asks?.id),
  )
  // A question that is already shown keeps its position.
  if (asks) questions[asks.id] = { question: asks, call }
  return isOpen(state, call.sessionId)
    ? { ...state, calls: { ...state.calls, [call.id]: call }, questions }
    : { ...state, questions }
}

/** For sessions that are not open, only running processes are kept. */
function putProcess(state: MainState, process: ProcessInfo): MainState {
  const wanted = isOpen(state, process.sessionId) || process.status === 'running'
  return {
    ...state,
    processes: wanted ? { ...state.processes, [process.id]: process } : without(state.processes, process.id),
  }
}

function removeMessages(state: MainState, sessionId: string, fromSeq: number): MainState {
  const held = state.transcripts[sessionId]
  // Nothing loaded is left, but there are older messages: they are loaded again.
  if (fromSeq > 0 && held && (held.messages[0]?.seq ?? 0) >= fromSeq)
    return { ...state, transcripts: without(state.transcripts, sessionId) }
  return changeTranscript(state, sessionId, (transcript) => ({
    ...transcript,
    messages: transcript.messages.filter((message) => message.seq < fromSeq),
    latest: transcript.latest || fromSeq <= (transcript.messages.at(-1)?.seq ?? 0) + 1,
  }))
}

/** Drops what is loaded again when the session is opened. */
function letGo(state: MainState, sessionId: string): MainState {
  const elsewhere = <Value extends { sessionId: string }>(entries: Record<string, Value>) =>
    Object.fromEntries(Object.entries(entries).filter(([, value]) => value.sessionId !== sessionId))
  return {
    ...state,
    opened: state.opened.filter((id) => id !== sessionId),
    transcripts: without(state.transcripts, sessionId),
    queues: without(state.queues, sessionId),
    calls: elsewhere(state.calls),
    receipts: elsewhere(state.receipts),
    processes: Object.fromEntries(
      Object.entries(state.processes).filter(
        ([, process]) => process.sessionId !== sessionId || process.status === 'running',
      ),
    ),
  }
}

function removeSession(before: MainState, sessionId: string): MainState {
  const state = letGo(before, sessionId)
  return {
    ...state,
    sessions: without(state.sessions, sessionId),
    silences: without(state.silences, sessionId),
    todos: without(state.todos, sessionId),
    unread: without(state.unread, sessionId),
    lastStop: without(state.lastStop, sessionId),
    processes: Object.fromEntries(
      Object.entries(state.processes).filter(([, process]) => process.sessionId !== sessionId),
    ),
    questions: Object.fromEntries(
      Object.entries(state.questions).filter(([, open]) => open.question.sessionId !== sessionId),
    ),
  }
}

function changeTranscript(
  state: MainState,
  sessionId: string,
  change: (transcript: Transcript) => Transcript,
): MainState {
  // A session that was not opened is loaded as a page when it is.
  const transcript = state.transcripts[sessionId]
  if (!transcript) return state
  return { ...state, transcripts: { ...state.transcripts, [sessionId]: change(transcript) } }
}

function without<Value>(record: Record<string, Value>, key: string): Record<string, Value> {
  if (!Object.hasOwn(record, key)) return record
  const { [key]: _, ...rest } = record
  return rest
}
