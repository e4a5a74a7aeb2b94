import type { ApprovalMode, WorkMode } from '../../src-preload/contract/sessions'

interface Mode<Value> {
  value: Value
  label: string
  hint: string
}

/** The modes that a session can continue with after its plan was approved. */
export const workModes: readonly Mode<WorkMode>[] = [
  { value: 'ask', label: 'Ask for everything', hint: 'Every call needs your approval.' },
  { value: 'safe', label: 'Allow safe reads', hint: 'Reads without asking. Asks for everything else.' },
  { value: 'workspace', label: 'Allow in workspace', hint: 'Works inside the workspace without asking.' },
  { value: 'all', label: 'Allow everything', hint: 'Asks only before dangerous commands.' },
]

/** The modes that can be the default, from the most careful to the least. */
export const modes: readonly Mode<Exclude<ApprovalMode, 'plan'>>[] = [
  { value: 'read-only', label: 'Read only', hint: 'Reads, but never changes or runs anything.' },
  ...workModes,
]

const planFirst: Mode<ApprovalMode> = {
  value: 'plan',
  label: 'Plan first',
  hint: 'Reads, writes a plan, and changes nothing until you approve it.',
}

/** The modes of a session. */
export const sessionModes: readonly Mode<ApprovalMode>[] = [planFirst, ...modes]

export const modeLabel = (mode: ApprovalMode) => sessionModes.find((entry) => entry.value === mode)?.label ?? mode
