import { z } from 'zod'
import { longestMessage } from './messages'

/** All that the prompt box may ask for. It has no part in the calls of the window. */
export const promptWish = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('info') }),
  z.strictObject({ type: z.literal('close') }),
  /** `open`: and show the session. */
  z.strictObject({ type: z.literal('send'), text: z.string().trim().min(1).max(longestMessage), open: z.boolean() }),
])

export type PromptWish = z.output<typeof promptWish>

/** `error`: words for the user. `folder`: where a session would begin. */
export interface PromptReply {
  error?: string
  folder?: string
}

export interface PromptBridge {
  ask(wish: PromptWish): Promise<PromptReply>
}
