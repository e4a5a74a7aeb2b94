import type { Content } from '../../src-preload/contract/content'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message, Part, TurnError } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { LoopEvent } from '../agent/loop'
import type { Logger } from '../log'
import { createDeltaPace } from './delta-pace'
import { newId } from './ids'
import type { Store } from './store'

const saveMs = 250

export type AssistantEnd = Extract<LoopEvent, { type: 'assistant-end' }>

/** The end of an answer that never began. */
export const nothingSaid: AssistantEnd = {
  type: 'assistant-end',
  text: '',
  reasoning: '',
  reasoningMs: 0,
  calls: [],
  usage: null,
}

interface WriterOptions {
  store: Store
  publish(event: DeckhandEvent): void
  sessionId: string
  model: string
  /** What the model reads as the result of a call that is not run. */
  refusal(name: string, message: string): Content[]
  log: Logger
}

/**
 * Writes the message that the model is streaming. Pieces are published at once, at most sixty times a second; the row is
 * saved four times a second. That loses nothing that counts: nobody acts on a message before its end, which is saved
 * together with its calls before it is published and before any of them runs. A crash in between costs a quarter of a
 * second of a text that is incomplete anyway, and is shown as such.
 */
export const createAssistantWriter = (options: WriterOptions) => {
  const { store, publish, sessionId } = options
  let message: Message | null = null
  const deltas = createDeltaPace(publish)
  const saver = createSaver(() => {
    try {
      if (message) store.messages.save(message)
    } catch (error) {
      // A full disk, most likely. The end of the message is saved for certain or fails the turn.
      options.log.warn('Could not save an unfinished message', { session: sessionId, error })
    }
  })

  const start = (): Message => {
    if (message) return message
    message = store.messages.append({
      sessionId,
      role: 'assistant',
      parts: [],
      streaming: true,
      model: options.model,
    })
    publish({ type: 'message', message: { ...message, parts: [] } })
    return message
  }

  const discard = (): void => {
    const open = message
    if (!open) return
    deltas.drop()
    saver.stop()
    open.parts = []
    // If the user has sent a message meanwhile, the empty one stays open for the next attempt, so that positions have no gaps.
    if (open.seq !== store.messages.count(sessionId) - 1) {
      saver.now()
      publish({ type: 'message', message: structuredClone(open) })
      return
    }
    message = null
    store.messages.removeFrom(sessionId, open.seq)
    publish({ type: 'messages-removed', sessionId, fromSeq: open.seq })
  }

  return {
    start,
    discard,
    /** Saves everything published so far, so that a reader of the row misses nothing before the next event. */
    flush: (): void => {
      saver.flush()
      deltas.send()
    },
    delta: (kind: 'text' | 'reasoning', text: string): void => {
      const open = start()
      const last = open.parts.at(-1)
      if (last?.type === kind) last.text += text
      else open.parts.push({ type: kind, text })
      const partIndex = open.parts.length - 1
      deltas.add({ type: 'delta', sessionId, messageId: open.id, partIndex, kind, text })
      saver.soon()
    },
    /** Adds a part that comes as a whole, such as an image. */
    add: (part: Part): void => {
      const open = start()
      deltas.send()
      open.parts.push(part)
      publish({ type: 'message', message: structuredClone(open) })
      saver.soon()
    },
    /** Saves the message with its calls, and what else belongs to that step, and publishes message and calls. */
    end: (
      event: AssistantEnd,
      usage?: Message['usage'],
      saveAlong?: () => void,
    ): { message: Message; calls: ToolCall[] } => {
      const open = start()
      deltas.send()
      saver.stop()
      const calls = saveEnd(options, open, event, usage, saveAlong)
      message = null
      open.streaming = false
      publish({ type: 'message', message: open })
      for (const call of calls) publish({ type: 'call', call })
      return { message: open, calls }
    },
    /**
     * Ends the message with an error that keeps it from being saved: it is shown now, with all that had come, and saved when
     * that is possible again.
     */
    fail: (error: TurnError): void => {
      deltas.send()
      saver.stop()
      const open = message
      message = null
      const failed: Message = {
        ...(open ?? newMessage(options)),
        parts: [...(open?.parts ?? []), { type: 'error', error }],
        streaming: false,
      }
      publish({ type: 'message', message: failed })
      saveFailed(store, failed)
    },
    /** For a turn that ended without an end event. What has arrived is saved now, or as soon as that is possible. */
    abandon: (): void => {
      const open = message
      if (!open) return
      if (open.parts.length === 0) deltas.drop()
      else deltas.send()
      saver.stop()
      message = null
      open.streaming = false
      const isEmpty = open.parts.length === 0 && open.seq === store.messages.count(sessionId) - 1
      if (isEmpty) publish({ type: 'messages-removed', sessionId, fromSeq: open.seq })
      else publish({ type: 'message', message: open })
      store.unsaved.save(`message:${open.id}`, () => {
        if (!store.messages.find(open.id)) return
        if (isEmpty && open.seq === store.messages.count(sessionId) - 1) store.messages.removeFrom(sessionId, open.seq)
        else store.messages.save(open)
      })
    },
  }
}

export type AssistantWriter = ReturnType<typeof createAssistantWriter>

/** Saves what is unfinished a few times a second. */
const createSaver = (save: () => void) => {
  let timer: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const now = (): void => {
    stop()
    save()
  }
  return {
    stop,
    now,
    soon: (): void => {
      timer ??= setTimeout(now, saveMs)
    },
    /** Saves what the timer would have saved soon. */
    flush: (): void => {
      if (timer) now()
    },
  }
}

const newMessage = ({ store, sessionId, model }: WriterOptions): Message => ({
  id: newId('m'),
  sessionId,
  seq: store.messages.count(sessionId),
  role: 'assistant',
  parts: [],
  createdAt: Date.now(),
  streaming: true,
  model,
})

const saveCalls = ({ store, sessionId, refusal }: WriterOptions, open: Message, { calls }: AssistantEnd): ToolCall[] =>
  calls.map((call, position) => {
    const made = store.calls.create({
      sessionId,
      messageId: open.id,
      position,
      providerId: call.id,
      name: call.name,
      arguments: call.arguments,
    })
    if (call.refused === undefined) return made
    // In the same step: a call that waits would be run after a restart.
    const error = { kind: 'InvalidArgs' as const, message: call.refused }
    const content = refusal(call.name, call.refused)
    return store.calls.setState(made.id, { status: 'failed', error, content })
  })

/** Saves the whole message with its calls, all or nothing: what cannot be saved is as it was, so that it can be tried again. */
function saveEnd(
  options: WriterOptions,
  open: Message,
  event: AssistantEnd,
  usage: Message['usage'],
  saveAlong: (() => void) | undefined,
): ToolCall[] {
  const { store } = options
  const before = { parts: open.parts, usage: open.usage }
  try {
    return store.transaction(() => {
      const calls = saveCalls(options, open, event)
      open.parts = [...wholeParts(open.parts, event), ...calls.map((call): Part => ({ type: 'call', callId: call.id }))]
      if (event.error) open.parts.push({ type: 'error', error: event.error })
      if (usage) open.usage = usage
      if (event.native) store.messages.setNative(open.id, event.native)
      saveAlong?.()
      store.messages.save({ ...open, streaming: false })
      return calls
    })
  } catch (error) {
    Object.assign(open, before)
    throw error
  }
}

/** Saves a message that failed once that is possible, where its place is still free. */
const saveFailed = (store: Store, failed: Message): void => {
  store.unsaved.save(`message:${failed.id}`, () => {
    const { id, sessionId, role, parts, model } = failed
    if (!store.sessions.exists(sessionId)) return
    if (store.messages.find(id)) store.messages.save(failed)
    else if (store.messages.count(sessionId) === failed.seq)
      store.messages.append({ id, sessionId, role, parts, ...(model && { model }) })
  })
}

/** What was streamed, unless the loop in the end has more than it had announced. */
const wholeParts = (streamed: Part[], event: AssistantEnd): Part[] => {
  const textOf = (type: 'text' | 'reasoning') => streamed.map((part) => (part.type === type ? part.text : '')).join('')
  if (textOf('text') !== event.text || textOf('reasoning') !== event.reasoning) {
    return [
      ...(event.reasoning
        ? [{ type: 'reasoning' as const, text: event.reasoning, durationMs: event.reasoningMs }]
        : []),
      ...(event.text ? [{ type: 'text' as const, text: event.text }] : []),
    ]
  }
  const first = streamed.findIndex((part) => part.type === 'reasoning')
  return streamed.map((part, index) =>
    index === first && part.type === 'reasoning' ? { ...part, durationMs: event.reasoningMs } : part,
  )
}
