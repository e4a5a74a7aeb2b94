import type { HookCall } from './payload'

/** What the gate says about a call of another agent. */
export type HookVerdict = { verdict: 'allow' | 'deny' | 'ask'; reason: string }

/**
 * The answer in the form that the agent reads from a hook's standard output. Empty where the agent should go on as if there
 * were no hook: it then asks by its own prompt.
 */
export function hookAnswer(
  { agent, event }: Pick<HookCall, 'agent' | 'event'>,
  { verdict, reason }: HookVerdict,
): string {
  if (event === 'PermissionRequest') {
    if (verdict === 'ask') return ''
    return json({
      hookEventName: event,
      decision: { behavior: verdict, ...(verdict === 'deny' && { message: reason }) },
    })
  }
  // Codex reads nothing but a refusal here; its own approvals decide about the rest.
  if (agent === 'Codex' && verdict !== 'deny') return ''
  return json({ hookEventName: event, permissionDecision: verdict, permissionDecisionReason: reason })
}

const json = (hookSpecificOutput: object): string => `${JSON.stringify({ hookSpecificOutput })}\n`
