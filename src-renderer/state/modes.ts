import type { ApprovalMode } from '../../src-preload/contract/sessions'

/** The approval modes as the user reads them, from the most careful to the least. */
export const modes: readonly { value: ApprovalMode; label: string; hint: string }[] = [
  { value: 'read-only', label: 'Read only', hint: 'Reads, but never changes or runs anything.' },
  { value: 'ask', label: 'Ask for everything', hint: 'Every call needs your approval.' },
  { value: 'safe', label: 'Allow safe reads', hint: 'Reads without asking. Asks for everything else.' },
  { value: 'workspace', label: 'Allow in workspace', hint: 'Works inside the workspace without asking.' },
  { value: 'all', label: 'Allow everything', hint: 'Asks only before dangerous commands.' },
]

export const modeLabel = (mode: ApprovalMode) => modes.find((entry) => entry.value === mode)?.label ?? mode
