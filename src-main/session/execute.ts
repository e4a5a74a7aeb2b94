import type { Answer } from '../../src-preload/contract/approval'
import type { FormValues } from '../../src-preload/contract/form'
import type { Grant, ToolCall } from '../../src-preload/contract/tool-calls'
import { printsStrangersWords } from '../approval/strangers-words'
import type { Access, Decision, Policy } from '../approval/types'
import { lookAtCommit } from '../tools/commit-look'
import { dispatch, type Gate } from '../tools/dispatch'
import type { QuestionDraft } from '../tools/question'
import { type ToolContext, ToolFailure, type Toolset } from '../tools/tool'
import type { CallFacts, CallResult } from './call-rows'
import { keepRules } from './keep-rules'
import { recordedChange } from './recorded-change'
import type { RunnerCore } from './runner-core'
import { forgetSandboxed } from './sandboxed-calls'

/** Brings one call through `dispatch`, with the session as its gate and its record. */
export const executeCall = async (
  core: RunnerCore,
  toolset: Toolset,
  call: ToolCall,
  signal: AbortSignal,
): Promise<CallResult> => {
  const { options, questions } = core
  const { store } = options
  const { sessionId } = call
  /** The rule or mode that settled the question in place of the user. */
  let settledBy: Grant | null = null
  /** What was learnt about the call is saved with its next change of state: one write where there would be three. */
  let learnt: CallFacts = {}
  const takeLearnt = (): CallFacts => {
    const facts = learnt
    learnt = {}
    return facts
  }

  const session = store.sessions.get(sessionId)
  const sandbox = session.sandbox ? await options.sandbox?.enter(session) : null
  const outside = sandbox && store.calls.isOutside(call.id)

  const decide = async (access: Access): Promise<Decision> => {
    const policy = {
      ...policyFor(core, sessionId),
      ...(sandbox && { sandbox: { hosts: options.settings().sandboxHosts } }),
    }
    const decision = await options.decide(store.taint.has(sessionId) ? { ...access, tainted: true } : access, policy)
    return outside && access.action === 'exec' ? { ...decision, leaves: true } : decision
  }

  let { gist } = call
  let asked: Access | null = null
  let decided: Decision | null = null
  const gate: Gate = {
    get mode() {
      return store.sessions.get(sessionId).mode
    },
    decide: async (wanted) => {
      const warning = await lookAtCommit(wanted, async (look) =>
        options.decide(look, { ...policyFor(core, sessionId), mode: 'safe', rules: [] }),
      )
      const access = warning === null ? wanted : { ...wanted, flagged: warning }
      asked = access
      options.receipts?.prepare(access)
      const decision = await decide(access)
      decided = decision
      if (decision.verdict === 'allow') noteUse(core, decision)
      return decision
    },
    ask: async (draft) => {
      const [access, decision] = [asked, decided]
      const shown =
        access && decision
          ? await core.trials.offer(withPast(core, draft, access, decision, sessionId), access, decision)
          : draft
      const recheck = async (): Promise<boolean> => {
        const again = asked && (await decide(asked))
        if (again?.verdict !== 'allow') return false
        noteUse(core, again)
        const { reason, ruleId } = again
        settledBy = ruleId ? { by: 'rule', ruleId, reason } : { by: 'mode', mode: gate.mode, reason }
        return true
      }
      const answer = await questions.ask(call, shown, signal, recheck, takeLearnt)
      if (access && decision && !settledBy && !core.closed) noteAnswer(core, answer, access, decision, sessionId)
      return answer
    },
    rehearsed: () => core.trials.rehearsed(call.id),
    remember: (answer, decision, access) => {
      if (!keepRules(store, answer, decision, access, sessionId, core.clock())) return
      core.publishRules()
      questions.recheck().catch((error) => options.log.error('Could not look at waiting questions again', { error }))
    },
    begin: async () => {
      const deed = asked && decided && recordedChange(asked, decided)
      if (!deed || !options.receipts) return () => {}
      return options.receipts.begin({ sessionId, callId: call.id, gist, ...deed })
    },
  }

  const askUser = async (question: string, choices: string[]): Promise<string> => {
    const answer = await questions.ask(
      call,
      {
        kind: 'ask-user',
        title: question,
        node: 'local',
        reason: 'The model asks you',
        offers: [],
        editable: false,
        choices,
      },
      signal,
      null,
    )
    if (answer.decision === 'reply') return answer.text
    const note = answer.decision === 'deny' && answer.note ? ` They say: ${answer.note}` : ''
    throw new ToolFailure('PermissionDenied', `The user does not want to answer this.${note}`)
  }

  const askForm: ToolContext['askForm'] = async (title, form, withdrawn) => {
    const draft: QuestionDraft = {
      kind: 'ask-user',
      title,
      form,
      node: 'local',
      reason: `The MCP server ${form.asker} asks, and gets what you send. Never give it a password or a key.`,
      offers: [],
      editable: false,
    }
    const answer = await questions.ask(call, draft, AbortSignal.any([signal, withdrawn]), null)
    if (answer.decision === 'reply') return JSON.parse(answer.text) as FormValues
    return answer.decision === 'deny' && answer.unanswered ? null : false
  }

  let denied = false
  let hasRun = false
  if (sandbox && !outside) core.sandboxed.set(call.id, sandbox)
  const outcome = await dispatch(
    { toolset, name: call.name, arguments: call.arguments },
    {
      sessionId,
      callId: call.id,
      workspace: session.workspace,
      signal,
      ...(options.interactive && { askUser, askForm }),
      ...(sandbox && !outside && { sandbox }),
    },
    gate,
    {
      gist: (text) => {
        gist = text
        learnt.gist = text
      },
      grant: (grant) => {
        learnt.grant = settledBy ?? grant
      },
      state: (state) => {
        denied = core.setState(call.id, state, takeLearnt())?.state.status === 'denied'
        hasRun ||= state.status === 'running'
      },
    },
    { maxResultBytes: toolset.maxResultBytes ?? options.settings().maxResultBytes, spillDir: options.spillDir },
  ).finally(async () => {
    await forgetSandboxed(core, call.id)
    await core.trials.drop(call.id)
  })
  if (hasRun && decided && printsStrangersWords((decided as Decision).subCommands)) store.taint.add(sessionId)
  const result = { content: outcome.content, isError: outcome.isError }
  // The card of a denied call shows the denial in words of its own; what the model was told must not change with it.
  if (denied) store.calls.setResult(call.id, result)
  return result
}

const policyFor = (core: RunnerCore, sessionId: string): Policy => ({
  mode: core.options.store.sessions.get(sessionId).mode,
  rules: core.options.store.rules.list(),
  sessionId,
  ownFolders: core.options.ownFolders,
  ...(core.options.readableFolders && { readableFolders: core.options.readableFolders }),
  now: core.clock(),
})

/** Tells for each rule on offer how it would have answered what the user was asked before. */
const withPast = (
  { options, clock }: RunnerCore,
  draft: QuestionDraft,
  access: Access,
  decision: Decision,
  sessionId: string,
): QuestionDraft => {
  const { backtest, store } = options
  if (!backtest || draft.offers.length === 0) return draft
  const past = store.answers.latest()
  if (past.length === 0) return draft
  const policy: Policy = { mode: 'ask', rules: [], sessionId, now: clock() }
  const offers = draft.offers.map((shown) => {
    const offer = decision.offers[shown.index]
    const tested = offer && backtest(offer, access, policy, past)
    return tested && tested.total > 0 ? { ...shown, past: tested } : shown
  })
  return { ...draft, offers }
}

const noteAnswer = (
  { options }: RunnerCore,
  answer: Answer,
  access: Access,
  decision: Decision,
  sessionId: string,
): void => {
  const { asking = [] } = decision
  if (asking.length === 0 || answer.decision === 'reply' || answer.decision === 'allow-edited') return
  const { action, workspace } = access
  // A rule is compared by the hash; what the text was is kept with the rule itself.
  const targets = asking.map((target) =>
    target.kind === 'command' && target.bound
      ? { ...target, bound: target.bound.map(({ text: _, ...bound }) => bound) }
      : target,
  )
  const said = answer.decision === 'deny' ? 'deny' : 'allow'
  options.store.answers.add({ action, workspace, sessionId, targets, answer: said })
}

const noteUse = (core: RunnerCore, decision: Decision): void => {
  for (const id of decision.ruleIds) core.options.store.rules.use(id)
}
