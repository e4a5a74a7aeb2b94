import type { z } from 'zod'
import { agentCalls } from './agent-calls'
import { backendCalls } from './backend-calls'
import { channelCalls } from './channel-calls'
import { coreCalls } from './core-calls'
import { editorCalls } from './editor-calls'
import { hookCalls } from './hook-calls'
import { hostedCalls } from './hosted-calls'
import { instructionCalls } from './instruction-calls'
import { mcpCalls } from './mcp-calls'
import { memoryCalls } from './memory-calls'
import { movingInCalls } from './moving-in-calls'
import { nodeCalls } from './node-calls'
import { pictureCalls } from './picture-calls'
import { previewCalls } from './preview-calls'
import { receiptCalls } from './receipt-calls'
import { replayCalls } from './replay-calls'
import { reviewCalls } from './review-calls'
import { rewindCalls } from './rewind-calls'
import { sandboxCalls } from './sandbox-calls'
import { scheduleCalls } from './schedule-calls'
import { settingsCalls } from './settings-calls'
import { skillCalls } from './skill-calls'
import { slashCalls } from './slash-calls'
import { usageCalls } from './usage-calls'
import { worktreeCalls } from './worktree-calls'
import { writingCalls } from './writing-calls'

/**
 * Every call that the window can make of the main process, and nothing else. Inputs are validated in main by these very
 * schemas; a new call is one line in its group, and the compiler then names what is missing elsewhere.
 */
export const calls = {
  ...coreCalls,
  ...settingsCalls,
  ...agentCalls,
  ...skillCalls,
  ...slashCalls,
  ...nodeCalls,
  ...backendCalls,
  ...sandboxCalls,
  ...scheduleCalls,
  ...channelCalls,
  ...mcpCalls,
  ...memoryCalls,
  ...receiptCalls,
  ...rewindCalls,
  ...reviewCalls,
  ...replayCalls,
  ...worktreeCalls,
  ...usageCalls,
  ...instructionCalls,
  ...hostedCalls,
  ...hookCalls,
  ...movingInCalls,
  ...writingCalls,
  ...pictureCalls,
  ...editorCalls,
  ...previewCalls,
}

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<Name extends CallName> = z.input<Calls[Name]['input']>
export type CallOutput<Name extends CallName> = Calls[Name]['output']

/** An error that crosses the border: words for the user, never a stack. */
export type CallReply<Name extends CallName> = { ok: true; value: CallOutput<Name> } | { ok: false; error: string }
