import type { Answer, Question } from '../../src-preload/contract/approval'
import { formErrors, type QuestionForm } from '../../src-preload/contract/form'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { isRecord } from '../is-record'
import type { QuestionDraft } from '../tools/question'
import { type CallFacts, questionOf } from './call-rows'
import { newId } from './ids'
import type { RunnerCore } from './runner-core'
import type { Store } from './store'

interface QuestionsOptions {
  store: Store
  clock(): number
  /** Saves a state and publishes it. */
  setState(callId: string, state: ToolState, facts?: CallFacts): void
  whenWritable: RunnerCore['whenWritable']
}

/** An answer to a question that no running turn waits for: it was asked before a restart. */
export interface AnsweredLater {
  call: ToolCall
  question: Question
  answer: Answer
}

interface Waiter {
  question: Question
  /** Asks the gate again; true when the call may now run without an answer. */
  recheck: (() => Promise<boolean>) | null
  settle(answer: Answer): void
}

export type Questions = ReturnType<typeof createQuestions>

/**
 * Questions to the user. A question is the `awaiting` state of a call, on disk; what is kept here is only who waits for
 * the answer in this process.
 */
export const createQuestions = (options: QuestionsOptions) => {
  const { store } = options
  const waiters = new Map<string, Waiter>()
  /** Answers to questions of an earlier run, by call, until the call comes by again and picks its answer up. */
  const answered = new Map<string, { question: Question; answer: Answer }>()
  /** Questions whose calls have not come by yet, with what asks the gate about them again. */
  const ahead = new Map<string, () => Promise<boolean>>()

  /** An answer counts for what was shown when it was given, and for nothing else. */
  const takeAnswer = (callId: string, draft: QuestionDraft): Answer | null => {
    const given = answered.get(callId)
    answered.delete(callId)
    return given && shows(given.question, draft) ? given.answer : null
  }

  const ask = async (
    call: ToolCall,
    draft: QuestionDraft,
    signal: AbortSignal,
    recheck: Waiter['recheck'],
    facts: () => CallFacts = () => ({}),
  ): Promise<Answer> => {
    const given = takeAnswer(call.id, draft)
    if (given) return given
    const open = questionOf(store.calls.get(call.id))
    const question = open && shows(open, draft) ? open : complete(options, draft, call)
    ahead.delete(question.id)
    return untilAnswered(waiters, { question, recheck }, signal, async () => {
      const known = facts()
      await options.whenWritable(call.sessionId, signal, () =>
        options.setState(call.id, { status: 'awaiting', question }, known),
      )
    })
  }

  const recheckWaiting = async (): Promise<void> => {
    for (const [id, waiter] of [...waiters]) {
      if (!waiter.recheck || !(await waiter.recheck())) continue
      // It may have been answered, or its turn stopped, while the gate thought.
      const call = waiters.has(id) ? askingCall(store, id) : null
      if (!call) continue
      options.setState(call.id, { status: 'pending' })
      waiter.settle({ decision: 'allow', scope: 'once' })
    }
  }

  const recheckAhead = async (): Promise<void> => {
    for (const [id, allows] of [...ahead]) {
      const isOpen = (): boolean => ahead.has(id) && askingCall(store, id) !== null
      if (isOpen() && !(await allows())) continue
      const call = isOpen() ? askingCall(store, id) : null
      ahead.delete(id)
      if (call) options.setState(call.id, { status: 'pending' })
    }
  }

  return {
    ask,
    /**
     * Puts the question of a call before the call comes by, so that several can be answered together. The answer is kept
     * until then, and counts if the call still shows the same. False where the call is settled already.
     */
    askAhead: (call: ToolCall, draft: QuestionDraft, gist: string, recheck: () => Promise<boolean>): boolean => {
      if (answered.has(call.id) || store.calls.find(call.id)?.state.status !== 'pending') return false
      const question = complete(options, draft, call)
      ahead.set(question.id, recheck)
      options.setState(call.id, { status: 'awaiting', question }, { gist })
      return true
    },
    /** Whether an answer is kept for the call, given before it came by. */
    isAnswered: (callId: string): boolean => answered.has(callId),
    /**
     * Settles a question, once. The row is changed first, so that no second answer and no restart finds it open. Returns
     * the answer where nothing in this process waits for it.
     */
    answer: (questionId: string, answer: Answer): AnsweredLater | null => {
      const call = store.calls.byQuestion(questionId)
      if (!call || !store.sessions.find(call.sessionId)) throw new Error('There is no such question.')
      const question = questionOf(call)
      if (question?.id !== questionId) throw new Error('This question has been answered already.')
      refuseMisfit(question, answer)
      store.durably(() => options.setState(call.id, { status: 'pending' }))
      ahead.delete(questionId)
      const waiter = waiters.get(questionId)
      if (waiter) {
        waiter.settle(answer)
        return null
      }
      answered.set(call.id, { question, answer })
      return { call, question, answer }
    },
    /** After a change of rules or mode: lets go what would no longer be asked. */
    recheck: (): Promise<void> => recheckWaiting().then(recheckAhead),
    forget: (callId: string): void => {
      answered.delete(callId)
      for (const id of [...ahead.keys()]) if (store.calls.byQuestion(id)?.id === callId) ahead.delete(id)
    },
  }
}

/** Puts the question by `open`, and settles with its answer or with the end of the turn. */
const untilAnswered = async (
  waiters: Map<string, Waiter>,
  { question, recheck }: Omit<Waiter, 'settle'>,
  signal: AbortSignal,
  open: () => Promise<void>,
): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  // A stop may come before anybody waits for it; then the signal is what throws.
  promise.catch(() => {})
  const onAbort = (): void => reject(signal.reason)
  waiters.set(question.id, { question, recheck, settle: resolve })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await open()
    signal.throwIfAborted()
    return await promise
  } finally {
    waiters.delete(question.id)
    signal.removeEventListener('abort', onAbort)
  }
}

const complete = ({ store, clock }: QuestionsOptions, draft: QuestionDraft, call: ToolCall): Question => ({
  ...draft,
  id: newId('q'),
  callId: call.id,
  sessionId: call.sessionId,
  ancestry: ancestryOf(store, call.sessionId),
  createdAt: clock(),
})

/** The session, those that it works for, and what began its turn where that was not the user. */
const ancestryOf = (store: Store, sessionId: string): string[] => {
  const origin = store.sessions.origin(sessionId)
  return [...store.sessions.lineage(sessionId), ...(origin ? [origin.label] : [])]
}

/** The call that still asks this; `null` once it is answered or its turn has stopped. */
const askingCall = (store: Store, questionId: string): ToolCall | null => {
  const call = store.calls.byQuestion(questionId)
  return call && questionOf(call)?.id === questionId ? call : null
}

const refuseMisfit = (question: Question, answer: Answer): void => {
  if ((question.kind === 'plan') !== (answer.decision === 'approve-plan') && answer.decision !== 'deny')
    throw new Error(question.kind === 'plan' ? 'Approve or reject the plan.' : 'This is no plan.')
  const forModel = question.kind === 'ask-user'
  if (forModel !== (answer.decision === 'reply') && answer.decision !== 'deny') {
    throw new Error(forModel ? 'Answer this question in words.' : 'Allow or deny this question.')
  }
  if (answer.decision === 'reply' && question.form) refuseForm(question.form, answer.text)
  if (answer.decision === 'apply') refuseToApply(question, answer.typed)
  const { typedWord } = question
  // An edited command is judged afresh, and asks for a word of its own if it needs one.
  if (typedWord !== undefined && answer.decision === 'allow' && !isWord(answer.typed, typedWord))
    throw new Error(`Type “${typedWord}” to allow this.`)
  if (answer.decision === 'allow' && answer.copy) refuseCopy(question)
  if (answer.decision === 'allow-edited' && !question.editable) throw new Error('This cannot be edited.')
  if (answer.decision !== 'allow' || answer.scope === 'once') return
  const offered = question.offers.some((offer) =>
    answer.scope === 'rule' ? offer.index === answer.offer : offer.scope === answer.scope,
  )
  if (!offered) throw new Error('That rule was not offered.')
}

const refuseForm = (form: QuestionForm, text: string): void => {
  const values = readObject(text)
  if (!values) throw new Error('The answers cannot be read.')
  const [wrong] = Object.entries(formErrors(form, values))
  if (!wrong) return
  const [name, error] = wrong
  throw new Error(`${form.fields.find((field) => field.name === name)?.label ?? name}: ${error}`)
}

const readObject = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const refuseToApply = ({ trial, typedWord }: Question, typed: string | undefined): void => {
  if (trial?.status !== 'done') throw new Error('There is no trial whose changes could be applied.')
  if (trial.obstacle !== undefined) throw new Error(trial.obstacle)
  const word = typedWord ?? trial.typedWord
  if (word !== undefined && !isWord(typed, word)) throw new Error(`Type “${word}” to apply this.`)
}

const refuseCopy = ({ losses }: Question): void => {
  if (!losses) throw new Error('There is nothing to keep a copy of.')
  if (losses.status === 'known' && losses.copy?.obstacle !== undefined) throw new Error(losses.copy.obstacle)
}

const isWord = (typed: string | undefined, word: string): boolean => typed?.trim().toLowerCase() === word.toLowerCase()

/** Whether the card that was shown says all that the card to be shown would say. */
const shows = (question: Question, draft: QuestionDraft): boolean => {
  const facts = ({
    kind,
    command,
    cwd,
    node,
    diff,
    resources,
    offers,
    title,
    choices,
    form,
    plan,
    typedWord,
  }: QuestionDraft) => {
    const rules = offers.map(({ scope, sentence }) => [scope, sentence])
    return JSON.stringify([kind, title, command, cwd, node, diff, resources, rules, choices, form, plan, typedWord])
  }
  return facts(question) === facts(draft)
}
