import type { Message, Notice } from '../../src-preload/contract/messages'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Session } from '../../src-preload/contract/sessions'
import { startTurn } from './messaging'
import { addNotice } from './notices'
import type { RunnerCore } from './runner-core'
import { explainExit } from './sandboxed-calls'

const tailChars = 1500
const longestNote = 2000
/** An agent that starts a process each time it is woken would never stop; after this many times it waits for the user. */
const mostAwakenings = 20
const wakes: ReadonlySet<Notice['kind']> = new Set(['process-exit', 'process-watch'])

/**
 * Tells the agent what happened in its terminals: the end of a background process and what was watched for wake it, once,
 * and what the user typed is there to read when it next looks. Returns the way to stop listening.
 */
export const listenToProcesses = (core: RunnerCore): (() => void) => {
  const { table, watches, log } = core.options
  const stops = [
    table.onExit((process) => {
      core.options.store.unsaved.save(`process-rules:${process.id}`, () => endRulesFor(core, process.id))
      if (!process.background || process.byUser) return
      tellExit(core, process).catch((error) => {
        // The app may have closed meanwhile.
        if (!core.isClosed()) log.error('Could not tell of an exit', { process: process.id, error })
      })
    }),
    watches?.onTripped((process, words) => {
      if (core.isClosed()) return
      try {
        tellTripped(core, process, words)
      } catch (error) {
        log.error('Could not tell what was watched for', { process: process.id, error })
      }
    }),
    table.onTyped((process, text) => {
      // What users do in their own terminals is private, unless a setting shares it.
      if (core.isClosed() || (process.byUser && !core.options.settings().noteOwnTyping)) return
      try {
        tellTyped(core, process, text)
      } catch (error) {
        log.error('Could not note what was typed', { process: process.id, error })
      }
    }),
  ]
  return () => {
    for (const stop of stops) stop?.()
  }
}

/** What was allowed until a process ends. */
const endRulesFor = (core: RunnerCore, processId: string): void => {
  if (core.isClosed()) return
  const { rules } = core.options.store
  const ended = rules.list().filter(({ scope, subject }) => scope === 'process' && subject === processId)
  for (const { id } of ended) rules.revoke(id)
  if (ended.length > 0) core.publishRules()
}

const tellExit = async (core: RunnerCore, process: ProcessInfo): Promise<void> => {
  const { store, table } = core.options
  const blocked = await explainExit(core, process)
  const own = await ownWords(core, process)
  const tail = (await table.tail(process.id, tailChars)).trimEnd()
  if (core.isClosed()) return
  const session = store.sessions.find(process.sessionId)
  if (!session) return
  const text = `Background process ${process.id} (${process.command}) ${endOf(process)}.${tail && `\nIts last output:\n${tail}`}`
  const said = (words: string): string => [words, ...blocked].join('\n')
  const notice: Notice = {
    kind: 'process-exit',
    processId: process.id,
    text: said(text),
    forUser: `“${process.title || process.command}” ${endForUser(process)}`,
    ...(own && { forModel: said(own) }),
  }
  store.unsaved.save(`exit:${process.id}`, () => {
    if (!core.isClosed() && store.sessions.find(session.id)) wake(core, session, notice)
  })
}

const tellTripped = (core: RunnerCore, process: ProcessInfo, words: string): void => {
  const session = core.options.store.sessions.find(process.sessionId)
  if (!session) return
  const text = `Process ${process.id} (${process.title}) ${words}`
  const forUser = `“${process.title}” ${words}`
  wake(core, session, { kind: 'process-watch', processId: process.id, text, forUser })
}

const wake = (core: RunnerCore, session: Session, notice: Notice): void => {
  addNotice(core, session.id, notice)
  if (awakenings(core, session.id) > mostAwakenings) return
  const live = core.live.get(session.id)
  if (live) live.steered = true
  // An open question from an earlier run blocks the session; the agent reads this when it continues.
  else if (session.waiting === 0) startTurn(core, session.id)
}

/** In the form of the session's vocabulary, where that has one. */
const ownWords = async (core: RunnerCore, process: ProcessInfo): Promise<string | undefined> => {
  const { store, table, toolsetFor } = core.options
  const session = store.sessions.find(process.sessionId)
  const form = session && toolsetFor(session).exitMessage
  return form?.of(process, await table.tail(process.id, form.tailChars))
}

/** Since the user last said something. */
const awakenings = (core: RunnerCore, sessionId: string): number => {
  const { messages } = core.options.store
  const since = messages.since(sessionId, messages.lastOfRole(sessionId, 'user')?.seq ?? 0)
  return since.filter(({ parts: [first] }) => first?.type === 'notice' && wakes.has(first.notice.kind)).length
}

const endOf = (process: ProcessInfo): string => {
  if (process.status === 'lost') return 'is lost: its terminal went away and its end is not known'
  if (process.timedOut) return 'was ended because its time was up'
  return process.signal ? `was ended by ${process.signal}` : `ended with exit code ${process.exitCode}`
}

const endForUser = (process: ProcessInfo): string => {
  if (process.status === 'lost') return 'was lost: its terminal closed, so its exit code is unknown'
  if (process.timedOut) return 'was stopped at its time limit'
  if (process.signal) return `was stopped (${process.signal})`
  return process.exitCode === 0 ? 'finished' : `failed (exit code ${process.exitCode})`
}

const tellTyped = (core: RunnerCore, process: ProcessInfo, typed: string): void => {
  const { store, publish } = core.options
  if (!store.sessions.find(process.sessionId)) return
  const words = typed === '' ? 'something hidden, such as a password' : JSON.stringify(typed)
  const last = store.messages.last(process.sessionId)
  const note = last && typedNote(last, process.id)
  if (!note) {
    const text = `The user typed into process ${process.id} (${process.title}): ${words}`
    const forUser = `You typed in “${process.title}”`
    addNotice(core, process.sessionId, { kind: 'user-typed', processId: process.id, text, forUser })
    return
  }
  // One note for all keys that are typed in a row.
  if (note.text.length > longestNote) return
  note.text += `, ${words}`
  store.messages.save(last)
  publish({ type: 'message', message: last })
}

const typedNote = (message: Message, processId: string): Extract<Notice, { kind: 'user-typed' }> | null => {
  const part = message.role === 'system' ? message.parts[0] : undefined
  if (part?.type !== 'notice' || part.notice.kind !== 'user-typed') return null
  return part.notice.processId === processId ? part.notice : null
}
