import type { DeckhandEvent, StopReason } from '../../src-preload/contract/events'
import type { ApprovalMode, Session, Usage } from '../../src-preload/contract/sessions'
import type { SubAgentDisplay, SubAgentStep } from '../../src-preload/contract/subagents'
import type { ToolErrorKind } from '../../src-preload/contract/tool-calls'

/** A sub-agent could not start or gave no answer. The message tells the model why. */
export class SubAgentError extends Error {
  constructor(
    readonly kind: ToolErrorKind,
    message: string,
  ) {
    super(message)
    this.name = 'SubAgentError'
  }
}

interface SubAgentRequest {
  /** The session that starts the sub-agent. */
  parentId: string
  /** Id of the tool call; also used as the id of the child's session. */
  callId: string
  prompt: string
  /** Short title for the card; defaults to the beginning of the prompt. */
  title?: string
  signal: AbortSignal
  show(display: SubAgentDisplay): void
}

interface ActiveSubAgent {
  sessionId: string
  parentId: string
  task: string
  startedAt: number
  steps: number
  tokens: number
  cost: number | null
}

/** Sub-agents of sessions: they are read-only and answer with a text. */
export interface SubAgents {
  /** Runs one to its end. Throws `SubAgentError`, or the signal's reason when aborted. */
  spawn(request: SubAgentRequest): Promise<SubAgentDisplay & { answer: string }>
  /** Running sub-agents, oldest first. */
  active(parentId?: string): ActiveSubAgent[]
}

/** What sub-agents need from sessions. */
interface ChildSessions {
  find(id: string): Session | null
  create(child: {
    id: string
    parentId: string
    agentId: string
    title: string
    workspace: string
    model: string
    toolset: string
    mode: ApprovalMode
  }): void
  /** Sends a message to the session and resolves when the turn that answers it ends. */
  say(
    sessionId: string,
    text: string,
    signal: AbortSignal,
  ): Promise<{ reason: StopReason; text: string; usage: Usage; error?: { message: string } }>
  /** Adds the usage of a child to its parent's spending. */
  charge(parentId: string, usage: Usage): void
}

interface SubAgentDeps {
  sessions: ChildSessions
  subscribe(listener: (event: DeckhandEvent) => void): () => void
  clock?: () => number
  limitMs?: number
}

const defaultLimitMs = 5 * 60_000
const mostAtOnce = 8
const shownSteps = 30
const titleChars = 60

export function createSubAgents({
  sessions,
  subscribe,
  clock = Date.now,
  limitMs = defaultLimitMs,
}: SubAgentDeps): SubAgents {
  const running = new Map<string, { parentId: string; startedAt: number; display: SubAgentDisplay }>()

  const admit = (parentId: string): Session => {
    const parent = sessions.find(parentId)
    if (!parent) throw new SubAgentError('NotFound', 'The session that asks is not there any more')
    if (parent.parentId !== null) throw new SubAgentError('PermissionDenied', 'A sub-agent cannot start another one')
    const siblings = [...running.values()].filter((child) => child.parentId === parentId).length
    if (siblings >= mostAtOnce)
      throw new SubAgentError('ExecutionFailed', `At most ${mostAtOnce} sub-agents work at once; wait for one to end`)
    return parent
  }

  return {
    async spawn({ parentId, callId, prompt, title, signal, show }) {
      signal.throwIfAborted()
      const { agentId, workspace, model, toolset } = admit(parentId)
      const task = title?.trim() || firstWords(prompt)
      sessions.create({ id: callId, parentId, agentId, title: task, workspace, model, toolset, mode: 'read-only' })
      const display: SubAgentDisplay = {
        type: 'subagent',
        sessionId: callId,
        task,
        steps: [],
        total: 0,
        tokens: 0,
        cost: 0,
      }
      const record = { parentId, startedAt: clock(), display }
      running.set(callId, record)
      const update = (display: SubAgentDisplay): void => {
        record.display = display
        show(display)
      }
      update(record.display)
      const stopListening = subscribe(stepsOf(callId, () => record.display, update))
      const deadline = AbortSignal.timeout(limitMs)
      try {
        const end = await sessions.say(callId, prompt, AbortSignal.any([signal, deadline]))
        sessions.charge(parentId, end.usage)
        signal.throwIfAborted()
        const answer = answerOf(end, deadline.aborted, limitMs)
        return { ...record.display, answer }
      } finally {
        stopListening()
        running.delete(callId)
      }
    },
    active: (parentId) =>
      [...running]
        .filter(([, child]) => parentId === undefined || child.parentId === parentId)
        .map(
          ([
            sessionId,
            {
              parentId: parent,
              startedAt,
              display: { task, total, tokens, cost },
            },
          ]) => ({
            sessionId,
            parentId: parent,
            task,
            startedAt,
            steps: total,
            tokens,
            cost,
          }),
        ),
  }
}

/** Tracks the tool calls and the spending of one session. */
function stepsOf(
  sessionId: string,
  current: () => SubAgentDisplay,
  update: (display: SubAgentDisplay) => void,
): (event: DeckhandEvent) => void {
  const steps = new Map<string, SubAgentStep>()
  return (event) => {
    if (event.type === 'call' && event.call.sessionId === sessionId) {
      const { id, name, gist, state } = event.call
      const before = steps.get(id)
      if (before?.status === state.status && before.gist === gist) return
      steps.set(id, { name, gist, status: state.status })
      update({ ...current(), steps: [...steps.values()].slice(-shownSteps), total: steps.size })
    }
    if (event.type === 'session' && event.session.id === sessionId) {
      const { inputTokens, outputTokens, cost } = event.session.usage
      const tokens = inputTokens + outputTokens
      if (tokens !== current().tokens || cost !== current().cost) update({ ...current(), tokens, cost })
    }
  }
}

function answerOf(
  { reason, text, error }: { reason: StopReason; text: string; error?: { message: string } },
  late: boolean,
  limitMs: number,
): string {
  const said = text.trim()
  const soFar = said === '' ? '' : ` What it had said by then: ${said}`
  if (reason === 'done' && said !== '') return said
  if (reason === 'limit' && said !== '') return `${said}\n\n(It stopped at its step limit.)`
  if (late) throw new SubAgentError('Timeout', `The sub-agent took longer than ${limitMs / 60_000} minutes.${soFar}`)
  if (reason === 'stopped') throw new SubAgentError('ExecutionFailed', `The user stopped this sub-agent.${soFar}`)
  if (reason === 'cap')
    throw new SubAgentError('ExecutionFailed', `The sub-agent was stopped. ${error?.message ?? ''}${soFar}`)
  throw new SubAgentError('ExecutionFailed', `The sub-agent ended without an answer: ${error?.message ?? reason}`)
}

function firstWords(prompt: string): string {
  const line = prompt.trim().split('\n')[0] ?? ''
  return line.length > titleChars ? `${line.slice(0, titleChars - 1).toWellFormed()}…` : line
}
