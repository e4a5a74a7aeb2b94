import type { ApprovalMode } from '../../src-preload/contract/sessions'

/** The approval modes as the user reads them, from the most careful to the least. */
export const modes: readonly { value: ApprovalMode; label: string; hint: string }[] = [
  { value: 'read-only', label: 'Read only', hint: 'Looks but never changes or runs anything.' },
  { value: 'ask', label: 'Ask for everything', hint: 'Every call waits for your answer.' },
  { value: 'safe', label: 'Allow safe reads', hint: 'Reading runs by itself, the rest asks.' },
  { value: 'workspace', label: 'Allow in workspace', hint: 'Work inside the workspace runs by itself.' },
  { value: 'all', label: 'Allow everything', hint: 'Nothing asks but what could ruin the machine.' },
]

export const modeLabel = (mode: ApprovalMode) => modes.find((entry) => entry.value === mode)?.label ?? mode
