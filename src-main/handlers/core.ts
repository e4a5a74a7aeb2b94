import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BrowserWindow, clipboard, dialog, shell } from 'electron'
import type { coreCalls } from '../../src-preload/contract/core-calls'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import type { Attachment } from '../../src-preload/contract/messages'
import type { Engine } from '../engine'
import { attachTerminal } from '../terminal-port'
import { toolsetNames } from '../toolsets/names'
import { openLink } from '../window'
import { fileTitle } from './file-title'
import { type HandlersFor, nothing } from './handlers'
import { refuseStrangeAgent } from './hosted'
import { placeOf } from './slash'

/** Faster than anybody reads: an answer that comes sooner was meant for something else. */
const readingMs = 400

/** Sessions, messages, questions and processes, and what the window asks of the desktop. */
export function coreHandlers(engine: Engine, window: BrowserWindow): HandlersFor<typeof coreCalls> {
  const { runner, store, table, settings, providers } = engine
  return {
    hello: () => ({
      sessions: store.sessions.list(),
      settings: settings.current(),
      providers: providers.list(),
      rules: store.rules.list(),
      questions: runner.questions(),
      waitingProcesses: table.waiting(),
      version: engine.version,
      platform: process.platform,
      notes: engine.takeNotes(),
      recovery: engine.takeRecovery(),
      keyStore: engine.keyStore,
      toolsets: [...toolsetNames],
    }),

    'backup.restore': () => engine.restoreBackup(),

    'session.create': (input) => {
      refuseStrangeAgent(engine, hostedAgentOf(input.model ?? ''))
      return engine.createSession(input).id
    },
    'session.list': () => store.sessions.list(),
    'session.update': async ({ id, ...patch }) => {
      if (patch.model !== undefined && patch.model !== store.sessions.get(id).model)
        refuseStrangeAgent(engine, hostedAgentOf(patch.model))
      const sandbox = patch.sandbox ? await engine.sandbox.status() : null
      if (sandbox && !sandbox.available) throw new Error(sandbox.note)
      return nothing(runner.updateSession(id, patch))
    },
    'session.delete': ({ id }) => {
      store.sessions.get(id)
      runner.deleteSession(id)
      void table.endOf(id)
      return null
    },
    'session.restore': ({ id }) => nothing(runner.restoreSession(id)),
    'session.search': ({ query }) => store.search(query),
    'session.export': ({ id, format }) => exportSession(engine, window, id, format),
    'session.page': (wish) => transcriptPage(engine, wish),

    ...messageHandlers(engine),

    'call.place': ({ callId }) => {
      const { messageId } = store.calls.get(callId)
      const { sessionId, seq } = store.messages.get(messageId)
      return { sessionId, messageId, seq }
    },
    'call.output': ({ callId }) => runner.output(callId),
    'question.answer': ({ questionId, answer }) => {
      const asked = runner.questions().find(({ question }) => question.id === questionId)
      if (!asked) throw new Error('This question has been answered already.')
      if (Date.now() - asked.question.createdAt < readingMs)
        throw new Error('That was very quick. Please check it again.')
      return nothing(runner.answer(questionId, answer))
    },
    'question.list': () => runner.questions(),

    'rule.list': () => store.rules.list(),
    'rule.lastCall': ({ id }) => store.calls.lastByRule(id),
    'rule.revoke': ({ id }) => nothing(runner.revokeRule(id)),

    'process.list': ({ sessionId }) => ({ type: 'processes', sessionId, processes: table.list(sessionId) }),
    'process.open': async ({ sessionId }) => (await engine.openTerminal(sessionId)).id,
    'process.signal': ({ id, signal }) => nothing(table.signal(id, signal)),
    'process.watch': ({ id, wanted }) => nothing(engine.watches.add(id, wanted)),
    'process.unwatch': ({ id, watchId }) => nothing(engine.watches.remove(id, watchId)),
    'process.remove': async ({ id }) => nothing(await table.remove(id)),
    'process.text': async ({ id }) => (await table.output(id, { maxChars: 5_000_000 })).text,
    'terminal.attach': ({ processId, requestId }) =>
      nothing(attachTerminal(engine, window.webContents, processId, requestId)),
    'terminal.columns': ({ cols }) => nothing(table.setColumns(cols)),

    'app.chooseFolder': ({ start }) => chooseFolder(window, start),
    'app.openLink': ({ url }) => openLink(url),
    'app.copy': ({ text }) => nothing(clipboard.writeText(text)),
    'app.paste': () => clipboard.readText(),
    'app.revealData': async () => {
      const problem = await shell.openPath(engine.dataDir)
      if (problem) throw new Error(`The folder cannot be shown: ${problem}`)
      return null
    },
    'app.reportProblem': async () => {
      const { reportProblem } = await import('../help')
      // It lasts until somebody has read the report; this call does not.
      reportProblem(window, Promise.resolve(engine)).catch((error: unknown) =>
        engine.log.error('The report was not made', { error }),
      )
      return null
    },
  }
}

type CoreHandlers = HandlersFor<typeof coreCalls>

/** What is said to a session: by a message, by one that waits in the queue, or by a stop. */
function messageHandlers(engine: Engine) {
  const { runner, store } = engine
  /** At once, so that a locked database is noticed here, unless a slash command has to be looked up first. */
  const withCommand = <Result>(
    sessionId: string,
    text: string,
    given: Attachment[],
    send: (attachments: Attachment[]) => Result,
  ): Result | Promise<Result> => {
    const slashed = engine.slash.attachmentsFor(placeOf(engine, sessionId), text, given)
    const all = engine.hooks.any(sessionId)
      ? Promise.resolve(slashed).then((each) => engine.hooks.attachmentsFor(sessionId, text, each))
      : slashed
    return all instanceof Promise ? all.then(send) : send(all)
  }
  return {
    'message.send': ({ sessionId, text, attachments }) => {
      engine.channels.spokeHere(sessionId)
      return withCommand(sessionId, text, attachments, (all) => nothing(runner.send(sessionId, text, all)))
    },
    'message.steer': ({ sessionId, text, attachments }) => {
      engine.channels.spokeHere(sessionId)
      return withCommand(sessionId, text, attachments, (all) => nothing(runner.steer(sessionId, text, all)))
    },
    'message.branch': ({ sessionId, messageId, text, model }) => {
      if (model !== undefined) refuseStrangeAgent(engine, hostedAgentOf(model))
      return withCommand(sessionId, text, [], (all) => runner.branch(sessionId, messageId, text, all, model).id)
    },
    'message.regenerate': ({ sessionId }) => nothing(runner.regenerate(sessionId)),
    'turn.stop': ({ sessionId }) => nothing(runner.stop(sessionId)),
    'turn.retry': ({ sessionId }) => nothing(runner.retry(sessionId)),
    'compaction.undo': ({ sessionId, messageId }) => nothing(runner.undoCompaction(sessionId, messageId)),

    'queue.list': ({ sessionId }) => ({ type: 'queue', sessionId, queue: store.queue.list(sessionId) }),
    'queue.edit': ({ sessionId, queuedId, text }) => nothing(runner.editQueued(sessionId, queuedId, text)),
    'queue.remove': ({ sessionId, queuedId }) => nothing(runner.removeQueued(sessionId, queuedId)),
    'queue.steer': ({ sessionId, queuedId }) => nothing(runner.steerQueued(sessionId, queuedId)),
  } satisfies Partial<CoreHandlers>
}

/** A part of the transcript, with all that its cards show. */
function transcriptPage(
  { runner, table, receipts: recorded, store }: Engine,
  { id, beforeSeq, limit, fresh = false }: Parameters<CoreHandlers['session.page']>[0],
): ReturnType<CoreHandlers['session.page']> {
  const page = runner.page(id, beforeSeq, limit)
  const shown = new Set(page.calls.map((call) => call.id))
  const processes = page.calls.flatMap(({ state }) => {
    const display = 'display' in state ? state.display : undefined
    const process = display?.type === 'process' ? table.get(display.processId) : undefined
    return process ? [process] : []
  })
  const receipts = shown.size > 0 ? recorded.list(id).filter(({ callId }) => shown.has(callId)) : []
  return [
    { type: 'transcript', sessionId: id, page, fresh },
    { type: 'processes', sessionId: id, processes },
    ...receipts.map((receipt) => ({ type: 'receipt' as const, receipt })),
    ...(fresh ? [{ type: 'todo' as const, sessionId: id, items: store.sessions.todo(id) }] : []),
  ]
}

async function chooseFolder(window: BrowserWindow, start: string | undefined): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Choose the folder to work in',
    properties: ['openDirectory', 'createDirectory'],
    ...(start && { defaultPath: start }),
  })
  return chosen.filePaths[0] ?? null
}

async function exportSession(
  engine: Engine,
  window: BrowserWindow,
  id: string,
  format: 'markdown' | 'json',
): Promise<string | null> {
  const extension = format === 'markdown' ? 'md' : 'json'
  const title = fileTitle(engine.store.sessions.get(id).title)
  const chosen = await dialog.showSaveDialog(window, {
    title: 'Export this session',
    defaultPath: join(homedir(), `${title}.${extension}`),
    filters: [{ name: format === 'markdown' ? 'Markdown' : 'JSON', extensions: [extension] }],
  })
  if (chosen.canceled || !chosen.filePath) return null
  await writeFile(chosen.filePath, engine.exportSession(id, format))
  return chosen.filePath
}
