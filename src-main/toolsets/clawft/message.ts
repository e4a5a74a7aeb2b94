import { z } from 'zod'
import type { Channels } from '../../channels/types'
import { inputShape } from '../../tools/input'
import { type ObjectTool, present } from '../../tools/object-tool'

const shape = inputShape(
  z.object({ channel: z.string().min(1), chat_id: z.string().min(1), content: z.string().min(1) }),
)

/** Sends a message without waiting for its delivery. */
export function createClawftMessageTool(
  channels: Pick<Channels, 'dispatch'> | null | undefined,
): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description:
      'Send a message to a chat of a channel, such as telegram, slack or discord. Confirms that it was sent off, not that it arrived.',
    ...shape,
    readOnly: false,
    access: ({ channel, chat_id, content }, { workspace }) => ({
      action: 'send',
      node: 'local',
      cwd: workspace,
      workspace,
      toolKey: `message.${channel.toLowerCase()}`,
      shown: `To ${chat_id}:\n${content}`,
    }),
    gist: ({ channel, chat_id, content }) => `${channel} · ${chat_id} · ${content.slice(0, 120)}`,
    async execute({ channel, chat_id, content }, { sessionId }) {
      present(channels).dispatch({ channel, to: chat_id, text: content }, sessionId)
      return { status: 'sent', channel, chat_id, content_length: [...content].length }
    },
  }
}
