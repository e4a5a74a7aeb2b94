import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BrowserWindow, clipboard, dialog, ipcMain, type IpcMainInvokeEvent, shell } from 'electron'
import type { z } from 'zod'
import { type CallName, type CallOutput, type CallReply, type Calls, calls } from '../src-preload/contract/ipc'
import type { DeckhandEvent } from '../src-preload/contract/protocol'
import { appOrigin } from './app-protocol'
import type { Engine } from './compose'
import { attachTerminal } from './terminal-port'
import { openLink } from './window'

type Handlers = { [Name in CallName]: (input: z.output<Calls[Name]['input']>) => CallOutput<Name> | Promise<CallOutput<Name>> }

/** Faster than anybody reads: an answer that comes sooner was meant for something else. */
const readingMs = 400

/** Joins a window to the engine: validated calls in, one channel of events out. */
export function connectWindow(window: BrowserWindow, engine: Promise<Engine>): void {
  const { webContents } = window
  const handlers = engine.then((running) => handlersFor(running, window))

  ipcMain.handle('call', async (event, name: unknown, input: unknown): Promise<CallReply<CallName>> => {
    const { log } = await engine
    if (!isOurPage(event, window)) {
      log.warn('Refused a call from another page', { name: String(name).slice(0, 100) })
      return refuse('This page may not make calls.')
    }
    if (typeof name !== 'string' || !isCallName(name)) {
      log.warn('Refused an unknown call', { name: String(name).slice(0, 100) })
      return refuse('There is no such call.')
    }
    const parsed = calls[name].input.safeParse(input)
    if (!parsed.success) {
      const where = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ')
      log.warn('Refused a malformed call', { name, where })
      return refuse(`The call ${name} is malformed: ${where}`)
    }
    try {
      const handle = (await handlers)[name] as (input: unknown) => unknown
      return { ok: true, value: (await handle(parsed.data)) as CallOutput<CallName> }
    } catch (error) {
      log.warn('A call failed', { name, error })
      return refuse(error instanceof Error ? error.message : String(error))
    }
  })

  const stopEvents = engine.then((running) => running.subscribe(batched((events) => send(window, events))))
  window.on('closed', () => {
    ipcMain.removeHandler('call')
    void stopEvents.then((stop) => stop())
  })
  webContents.on('preload-error', (_event, _path, error) => void engine.then(({ log }) => log.error('Preload failed', { error })))
}

const refuse = (error: string): CallReply<CallName> => ({ ok: false, error })

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name)

/** Only the top frame of our own page speaks for the user. */
const isOurPage = (event: IpcMainInvokeEvent, window: BrowserWindow): boolean =>
  !window.isDestroyed() &&
  event.sender === window.webContents &&
  event.senderFrame === window.webContents.mainFrame &&
  (event.senderFrame?.url ?? '').startsWith(`${appOrigin}/`)

/** Events of one pass through the event loop travel as one message, in order. */
function batched(deliver: (events: DeckhandEvent[]) => void): (event: DeckhandEvent) => void {
  let waiting: DeckhandEvent[] = []
  return (event) => {
    waiting.push(event)
    if (waiting.length > 1) return
    setImmediate(() => {
      const events = waiting
      waiting = []
      deliver(events)
    })
  }
}

function send(window: BrowserWindow, events: DeckhandEvent[]): void {
  if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send('events', events)
}

function handlersFor(engine: Engine, window: BrowserWindow): Handlers {
  const { runner, store, table, settings, providers } = engine
  return {
    hello: () => ({
      sessions: store.sessions.list(),
      settings: settings.current(),
      providers: providers.list(),
      rules: store.rules.list(),
      questions: runner.questions(),
      version: engine.version,
      platform: process.platform,
      notes: engine.takeNotes(),
      keyStore: engine.keyStore,
    }),

    'session.create': (input) => engine.createSession(input),
    'session.list': () => store.sessions.list(),
    'session.update': ({ id, ...patch }) => runner.updateSession(id, patch),
    'session.delete': ({ id }) => nothing(runner.deleteSession(id)),
    'session.restore': ({ id }) => runner.restoreSession(id),
    'session.search': ({ query }) => store.search(query),
    'session.export': ({ id, format }) => exportSession(engine, window, id, format),
    'session.page': ({ id, beforeSeq, limit }) => store.messages.page(id, beforeSeq, limit),

    'message.send': ({ sessionId, text, attachments }) => nothing(runner.send(sessionId, text, attachments)),
    'message.steer': ({ sessionId, text, attachments }) => nothing(runner.steer(sessionId, text, attachments)),
    'message.branch': ({ sessionId, messageId, text }) => runner.branch(sessionId, messageId, text),
    'message.regenerate': ({ sessionId }) => nothing(runner.regenerate(sessionId)),
    'turn.stop': ({ sessionId }) => nothing(runner.stop(sessionId)),
    'turn.retry': ({ sessionId }) => nothing(runner.retry(sessionId)),
    'compaction.undo': ({ sessionId, messageId }) => runner.undoCompaction(sessionId, messageId),

    'queue.edit': ({ sessionId, queuedId, text }) => runner.editQueued(sessionId, queuedId, text),
    'queue.remove': ({ sessionId, queuedId }) => runner.removeQueued(sessionId, queuedId),
    'queue.steer': ({ sessionId, queuedId }) => nothing(runner.steerQueued(sessionId, queuedId)),

    'call.output': ({ callId }) => runner.output(callId),
    'question.answer': ({ questionId, answer }) => {
      const asked = runner.questions().find(({ question }) => question.id === questionId)
      if (!asked) throw new Error('This question has been answered already.')
      if (Date.now() - asked.question.createdAt < readingMs) throw new Error('That was too quick. Look at it once more.')
      return nothing(runner.answer(questionId, answer))
    },
    'question.list': () => runner.questions(),

    'rule.list': () => store.rules.list(),
    'rule.revoke': ({ id }) => runner.revokeRule(id),

    'process.list': ({ sessionId }) => table.list(sessionId),
    'process.open': ({ sessionId }) => engine.openTerminal(sessionId),
    'process.signal': ({ id, signal }) => nothing(table.signal(id, signal)),
    'process.remove': async ({ id }) => nothing(await table.remove(id)),
    'process.text': async ({ id }) => (await table.output(id, { maxChars: 5_000_000 })).text,
    'terminal.attach': ({ processId, requestId }) => {
      const process = table.get(processId)
      if (!process) throw new Error('This process is not there any more.')
      const { webContents: contents } = window
      return nothing(attachTerminal({ node: engine.localNode, contents, process, logPath: table.logPath(processId), requestId }))
    },

    'settings.update': (patch) => engine.updateSettings(patch),
    'provider.save': (provider) => providers.save(provider),
    'provider.remove': ({ id }) => providers.remove(id),
    'provider.refresh': ({ id }) => providers.refresh(id),
    'provider.test': (provider) => providers.test(provider),

    'app.chooseFolder': ({ start }) => chooseFolder(window, start),
    'app.openLink': ({ url }) => openLink(url),
    'app.copy': ({ text }) => nothing(clipboard.writeText(text)),
    'app.paste': () => clipboard.readText(),
    'app.revealData': async () => {
      const problem = await shell.openPath(engine.dataDir)
      if (problem) throw new Error(`The folder cannot be shown: ${problem}`)
      return null
    },
  }
}

/** A call that is made for its effect answers with nothing. */
const nothing = (_: unknown): null => null

async function chooseFolder(window: BrowserWindow, start: string | undefined): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Choose the folder to work in',
    properties: ['openDirectory', 'createDirectory'],
    ...(start && { defaultPath: start }),
  })
  return chosen.filePaths[0] ?? null
}

async function exportSession(engine: Engine, window: BrowserWindow, id: string, format: 'markdown' | 'json'): Promise<string | null> {
  const extension = format === 'markdown' ? 'md' : 'json'
  const title = engine.store.sessions.get(id).title.replace(/[^\p{L}\p{N} ._-]+/gu, '').trim().slice(0, 60) || 'session'
  const chosen = await dialog.showSaveDialog(window, {
    title: 'Export this session',
    defaultPath: join(homedir(), `${title}.${extension}`),
    filters: [{ name: format === 'markdown' ? 'Markdown' : 'JSON', extensions: [extension] }],
  })
  if (chosen.canceled || !chosen.filePath) return null
  await writeFile(chosen.filePath, engine.exportSession(id, format))
  return chosen.filePath
}
