import type { HookEvent } from '../../src-preload/contract/hooks'
import { isRecord } from '../is-record'
import type { HookRun } from './run-hook'

/** What the hooks of one event say together. */
export interface HookAnswer {
  /** The call, the message or the end of the turn is refused, with the reason. */
  block: string | null
  /** The user has to be asked, whatever the mode or a rule says. */
  ask: string | null
  /** The call need not be asked about. Only the user's own hooks can say so. */
  allow: string | null
  /** Other arguments for the call. Only the user's own hooks can give them. */
  input: Record<string, unknown> | null
  /** For the model to read. */
  context: string[]
  /** For the user to read. */
  notes: string[]
}

export const noAnswer = (): HookAnswer => ({ block: null, ask: null, allow: null, input: null, context: [], notes: [] })

/** Adds what one hook said. `own`: it is of the user's settings; a hook of a project can only be stricter. */
export function addAnswer(answer: HookAnswer, event: HookEvent, run: HookRun, command: string, own: boolean): void {
  if (run.timedOut) return void answer.notes.push(`The hook ${command} took too long and was ended.`)
  if (run.exitCode === 2) {
    answer.block ??= run.stderr || 'A hook refused it.'
    return
  }
  if (run.exitCode !== 0) {
    answer.notes.push(
      `The hook ${command} failed${run.exitCode === null ? '' : ` with ${run.exitCode}`}: ${run.stderr}`,
    )
    return
  }
  const said = readJson(run.stdout)
  if (!said) {
    // Plain words count where they are asked for; elsewhere they are only for whoever reads the log.
    if (run.stdout && (event === 'UserPromptSubmit' || event === 'SessionStart')) answer.context.push(run.stdout)
    return
  }
  const more = isRecord(said.hookSpecificOutput) ? said.hookSpecificOutput : {}
  const reason = text(more.permissionDecisionReason) || text(said.reason)
  const verdict = more.permissionDecision ?? said.decision
  if (verdict === 'deny' || verdict === 'block') answer.block ??= reason || 'A hook refused it.'
  else if (verdict === 'ask') answer.ask ??= reason || 'A hook wants you to be asked.'
  else if ((verdict === 'allow' || verdict === 'approve') && own && event === 'PreToolUse')
    answer.allow ??= reason || 'A hook of yours allows it.'
  if (said.continue === false) answer.block ??= text(said.stopReason) || 'A hook stopped it.'
  if (isRecord(more.updatedInput) && own) answer.input = more.updatedInput
  if (text(more.additionalContext)) answer.context.push(text(more.additionalContext))
  if (text(said.systemMessage)) answer.notes.push(text(said.systemMessage))
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 20_000) : '')

function readJson(stdout: string): Record<string, unknown> | null {
  if (!stdout.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(stdout)
    return isRecord(value) ? value : null
  } catch {
    // It only begins like JSON.
    return null
  }
}
