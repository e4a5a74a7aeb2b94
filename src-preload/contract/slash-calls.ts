import { z } from 'zod'
import { id, read } from './call'
import type { SlashCommand } from './slash'

/** Commands that can be typed into the composer. They take effect when the message is sent. */
export const slashCalls = {
  'slash.list': read<SlashCommand[]>()(() => z.strictObject({ sessionId: id })),
}
