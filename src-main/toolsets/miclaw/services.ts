import { z } from 'zod'
import type { Channels } from '../../channels/types'
import type { Schedule } from '../../schedule/types'
import { inputShape } from '../../tools/input'
import { present, translateErrors } from '../../tools/object-tool'
import { textContent } from '../../tools/text-content'
import { type Tool, ToolFailure } from '../../tools/tool'

const cronShape = inputShape(() =>
  z.object({
    action: z.enum(['list', 'add', 'remove']),
    schedule: z.string().optional().describe('add: cron expression of 5 fields, in UTC'),
    prompt: z.string().optional().describe('add: said to you when it fires'),
    id: z.string().optional().describe('remove'),
  }),
)

type CronWish =
  | { action: 'list' }
  | { action: 'add'; schedule: string; prompt: string }
  | { action: 'remove'; id: string }

/** The required fields depend on the action, which a flat schema cannot express. */
function readWish(raw: unknown): CronWish {
  const { action, schedule, prompt, id } = cronShape.parse(raw)
  const needed = (name: string, value: string | undefined): string => {
    if (!value?.trim()) throw new ToolFailure('InvalidArgs', `\`${name}\` is required for ${action}`)
    return value
  }
  switch (action) {
    case 'list':
      return { action }
    case 'add':
      return { action, schedule: needed('schedule', schedule), prompt: needed('prompt', prompt) }
    case 'remove':
      return { action, id: needed('id', id) }
  }
}

/** Scheduled prompts, sent to the agent's main session. */
export function createMiclawCron(deps: {
  schedule?: Schedule | null
  agentOf(sessionId: string): string
}): Tool<CronWish> {
  return {
    description: 'Schedule recurring prompts for yourself: list, add, remove.',
    schema: cronShape.schema,
    parse: readWish,
    readOnly: false,
    access: ({ action }, { workspace }) => ({
      action: action === 'list' ? 'read' : 'configure',
      node: 'gsv',
      cwd: workspace,
      workspace,
      toolKey: action === 'list' ? 'schedule.read' : `schedule.${action}`,
    }),
    gist: (wish) =>
      wish.action === 'add' ? `add ${wish.schedule}` : wish.action === 'remove' ? `remove ${wish.id}` : 'list',
    run: (wish, { sessionId }) =>
      translateErrors(async () => {
        const schedule = present(deps.schedule)
        const agentId = deps.agentOf(sessionId)
        if (wish.action === 'list') {
          const { jobs } = schedule.list({ agentId, includeDisabled: true })
          const lines = jobs.map(({ id, schedule: when, spec, enabled }) => {
            const time = when.kind === 'cron' ? when.expr : when.kind
            const said = spec.mode === 'systemEvent' ? spec.text : spec.message
            return [id, time, said, ...(enabled ? [] : ['(paused)'])].join('\t')
          })
          return { content: textContent(lines.join('\n') || 'No jobs.') }
        }
        if (wish.action === 'remove') {
          const { jobs } = schedule.list({ agentId, includeDisabled: true })
          const mine = jobs.some(({ id }) => id === wish.id)
          if (!mine || !schedule.remove(wish.id).removed)
            throw new ToolFailure('NotFound', `There is no job ${JSON.stringify(wish.id)}`)
          return { content: textContent(`Removed ${wish.id}`) }
        }
        const { job } = await schedule.add(
          {
            name: wish.prompt.trim().split('\n')[0]?.slice(0, 60).toWellFormed() ?? '',
            schedule: { kind: 'cron', expr: wish.schedule, tz: 'UTC' },
            spec: { mode: 'systemEvent', text: wish.prompt },
          },
          { by: 'agent', agentId, sessionId },
        )
        return { content: textContent(`Added ${job.id}`) }
      }),
  }
}

const messageShape = inputShape(() =>
  z.object({
    to: z
      .string()
      .regex(/^[^:\s]+:\S/, 'must be channel:address')
      .describe('Channel and address, such as signal:+15551234567'),
    content: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
  }),
)

/** `signal:+15551234567` names the channel and the recipient. */
const addressOf = (target: string): { channel: string; to: string } => {
  const colon = target.indexOf(':')
  return { channel: target.slice(0, colon), to: target.slice(colon + 1) }
}

export function createMiclawMessage(
  channels: Pick<Channels, 'send'> | null | undefined,
): Tool<ReturnType<typeof messageShape.parse>> {
  return {
    description: 'Send a message to somebody by an external channel.',
    ...messageShape,
    readOnly: false,
    access: ({ to }, { workspace }) => ({
      action: 'send',
      node: 'gsv',
      cwd: workspace,
      workspace,
      toolKey: `message.${addressOf(to).channel.toLowerCase()}`,
    }),
    gist: ({ to, content }) => `${to} · ${content.slice(0, 120)}`,
    run: ({ to, content }, { sessionId }) =>
      translateErrors(async () => {
        const sent = await present(channels).send({ ...addressOf(to), text: content }, sessionId)
        return { content: textContent(`Sent to ${sent.channel}:${sent.to}`) }
      }),
  }
}
