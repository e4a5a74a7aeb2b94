import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import type { DeckhandEvent } from '../src-preload/contract/events'
import { type CallName, type CallOutput, type CallReply, type Calls, calls } from '../src-preload/contract/ipc'
import { appOrigin } from './app-protocol'
import type { Engine } from './engine'
import { createEventBatch } from './event-batch'
import { agentHandlers } from './handlers/agents'
import { backendHandlers } from './handlers/backends'
import { channelHandlers } from './handlers/channels'
import { coreHandlers } from './handlers/core'
import { editorHandlers } from './handlers/editors'
import type { HandlersFor } from './handlers/handlers'
import { hookHandlers } from './handlers/hooks'
import { hostedHandlers } from './handlers/hosted'
import { instructionHandlers } from './handlers/instructions'
import { mcpHandlers } from './handlers/mcp'
import { memoryHandlers } from './handlers/memory'
import { movingInHandlers } from './handlers/moving-in'
import { nodeHandlers } from './handlers/nodes'
import { pictureHandlers } from './handlers/pictures'
import { previewHandlers } from './handlers/preview'
import { receiptHandlers } from './handlers/receipts'
import { replayHandlers } from './handlers/replay'
import { reviewHandlers } from './handlers/review'
import { rewindHandlers } from './handlers/rewind'
import { sandboxHandlers } from './handlers/sandbox'
import { scheduleHandlers } from './handlers/schedule'
import { settingsHandlers } from './handlers/settings'
import { skillHandlers } from './handlers/skills'
import { slashHandlers } from './handlers/slash'
import { usageHandlers } from './handlers/usage'
import { worktreeHandlers } from './handlers/worktrees'
import { writingHandlers } from './handlers/writing'
import { inWords, isLock, StorageError } from './storage/storage-error'
import { whenUnlocked } from './storage/when-unlocked'
import { questionFor, watchGestures } from './user-gesture'

type Answer = (event: IpcMainInvokeEvent, name: unknown, input: unknown) => Promise<CallReply<CallName>>

/** Joins a window to the engine: validated calls in, answered by what is returned, and one channel of events out. */
export function connectWindow(window: BrowserWindow, engine: Promise<Engine>): Answer {
  const { webContents } = window
  const handlers = engine.then((running) => handlersFor(running, window))
  const gestures = watchGestures(window)
  const events = createEventBatch((batch) => send(window, batch))

  const run = runWith(events.add)

  const answer: Answer = async (event, name, input) => {
    const running = await engine.catch((error: unknown) => wordsFor(error))
    if (typeof running === 'string') return refuse(running)
    const { log } = running
    if (!isOurPage(event, window)) {
      log.warn('Refused a call from another page', { name: String(name).slice(0, 100) })
      return refuse('This page may not make calls.')
    }
    if (typeof name !== 'string' || !isCallName(name)) {
      log.warn('Refused an unknown call', { name: String(name).slice(0, 100) })
      return refuse('There is no such call.')
    }
    try {
      const parsed = calls[name].input.safeParse(input)
      if (!parsed.success) {
        const where = parsed.error.issues
          .map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
          .join('; ')
        log.warn('Refused a malformed call', { name, where })
        return refuse(`The call ${name} is malformed: ${where}`)
      }
      const question = questionFor(name, parsed.data)
      if (question !== null && !(await gestures.confirm(question))) {
        log.warn('Refused a call that nobody made', { name })
        return refuse('Only you can do that.')
      }
      const handle = (await handlers)[name] as (input: unknown) => unknown
      const result = run(() => handle(parsed.data))
      const value = result instanceof Promise ? await result : result
      // Where a folder was chosen, somebody is there, though the page saw no key or click for a while.
      if (calls[name].gesture.by === 'box' && value !== null) gestures.seen()
      // With nothing in between: what was told before the answer was made comes before it, and the rest after.
      events.flush()
      return { ok: true, value: value as CallOutput<CallName> }
    } catch (error) {
      log.warn('A call failed', { name, error })
      return refuse(wordsFor(error))
    }
  }

  engine.then(
    (running) => {
      window.on('closed', running.subscribe(events.add))
      webContents.on('preload-error', (_event, _path, error) => running.log.error('Preload failed', { error }))
    },
    // Every call answers with what went wrong.
    () => {},
  )
  handlers.catch(() => {})
  return answer
}

const wordsFor = (thrown: unknown): string => {
  // What is kept for undo has a database of its own, whose errors come as SQLite words them.
  const error = inWords(thrown, 'the data folder')
  if (error instanceof StorageError) return `${error.message} ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}

/** Does what a call asks for: at once, or as soon as another program has let go of the database. */
const runWith =
  (add: (event: DeckhandEvent) => void) =>
  (work: () => unknown): unknown => {
    try {
      return work()
    } catch (error) {
      if (!isLock(error)) throw error
      return whenUnlocked(work, { waiting: tellOnce(add) })
    }
  }

/** Says that a call has to wait, but not once a second. */
const tellOnce = (add: (event: DeckhandEvent) => void): (() => void) => {
  let told = false
  return () => {
    if (!told) add({ type: 'note', text: 'Waiting for the database, which another program has locked…' })
    told = true
  }
}

const refuse = (error: string): CallReply<CallName> => ({ ok: false, error })

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name)

/** Only the top frame of our own page speaks for the user. */
const isOurPage = (event: IpcMainInvokeEvent, window: BrowserWindow): boolean =>
  !window.isDestroyed() &&
  event.sender === window.webContents &&
  event.senderFrame === window.webContents.mainFrame &&
  (event.senderFrame?.url ?? '').startsWith(`${appOrigin}/`)

function send(window: BrowserWindow, events: DeckhandEvent[]): void {
  if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send('events', events)
}

const handlersFor = (engine: Engine, window: BrowserWindow): HandlersFor<Calls> => ({
  ...coreHandlers(engine, window),
  ...settingsHandlers(engine),
  ...nodeHandlers(engine),
  ...backendHandlers(engine),
  ...agentHandlers(engine),
  ...skillHandlers(engine),
  ...slashHandlers(engine),
  ...sandboxHandlers(engine),
  ...scheduleHandlers(engine),
  ...channelHandlers(engine),
  ...mcpHandlers(engine),
  ...memoryHandlers(engine),
  ...receiptHandlers(engine),
  ...rewindHandlers(engine),
  ...reviewHandlers(engine),
  ...replayHandlers(engine, window),
  ...worktreeHandlers(engine),
  ...usageHandlers(engine),
  ...instructionHandlers(engine),
  ...hostedHandlers(engine),
  ...hookHandlers(engine),
  ...movingInHandlers(engine),
  ...writingHandlers(engine),
  ...pictureHandlers(engine),
  ...editorHandlers(engine),
  ...previewHandlers(engine, window),
})
