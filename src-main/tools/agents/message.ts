import { z } from 'zod'
import type { Channels } from '../../channels/types'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'

const shape = inputShape(() =>
  z.object({
    text: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
    channel: z.string().optional().describe('Such as "slack"; default: where the conversation is'),
    to: z.string().optional().describe('Default: the current peer'),
    peerKind: z.enum(['dm', 'group', 'channel', 'thread']).optional(),
    accountId: z.string().optional(),
    replyToId: z.string().optional(),
  }),
)

/** Sends a message through any channel. */
export function createMessageTool(channels: Channels | null | undefined): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description:
      'Send a message to a person, group or channel. Without `channel` and `to` it goes where this conversation was last active.',
    ...shape,
    readOnly: false,
    access: (input, { workspace, sessionId }) => {
      const channel = input.channel ?? channels?.route(sessionId)?.channel ?? 'app'
      const here = { node: 'gsv', cwd: workspace, workspace }
      // A message to the user in their own window needs no permission.
      if (channel === 'app' && input.to === undefined) return { action: 'read', ...here }
      // Each channel is allowed separately.
      return { action: 'send', ...here, toolKey: `message.${channel.toLowerCase()}` }
    },
    gist: ({ text, channel, to }) => [channel, to, text.slice(0, 120)].filter(Boolean).join(' · '),
    execute: (input, { sessionId }) => present(channels).send(input, sessionId),
  }
}
