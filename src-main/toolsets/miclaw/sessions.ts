import { z } from 'zod'
import type { SubAgents } from '../../subagents/subagents'
import type { SessionFacts, SessionPost } from '../../tools/agents/sessions'
import { runSubAgent, spawnAccess } from '../../tools/agents/task'
import { inputShape } from '../../tools/input'
import { present, translateErrors } from '../../tools/object-tool'
import { textContent } from '../../tools/text-content'
import type { Tool, ToolContext } from '../../tools/tool'

interface MiclawSessionDeps {
  post?: SessionPost | null
  subagents?: SubAgents | null
  sessionFacts?(sessionId: string): SessionFacts | null
}

const empty = inputShape(() => z.object({}))
const listShape = inputShape(() => z.object({ limit: z.int().min(1).max(100).optional().describe('Default 20') }))
const historyShape = inputShape(() =>
  z.object({ session_id: z.string().min(1), limit: z.int().min(1).max(100).optional().describe('Default 20') }),
)
const sendShape = inputShape(() => z.object({ session_id: z.string().min(1), content: z.string().min(1) }))
const spawnShape = inputShape(() =>
  z.object({ prompt: z.string().trim().min(1).describe('It sees nothing of this conversation') }),
)

/** A tool that only reads sessions, and returns the result as text. */
function look<Input>(
  description: string,
  shape: { schema: Record<string, unknown>; parse(raw: unknown): Input },
  gist: (input: Input) => string,
  say: (input: Input, context: ToolContext) => string,
): Tool {
  const tool: Tool<Input> = {
    description,
    ...shape,
    readOnly: true,
    access: (_, { workspace }) => ({ action: 'read', node: 'gsv', cwd: workspace, workspace, toolKey: 'session.read' }),
    gist,
    run: (input, context) => translateErrors(async () => ({ content: textContent(say(input, context)) })),
  }
  return tool
}

const sendTool = (deps: MiclawSessionDeps): Tool<ReturnType<typeof sendShape.parse>> => ({
  description: 'Say something in another session; it answers there.',
  ...sendShape,
  readOnly: false,
  access: (_, { workspace }) => ({ action: 'send', node: 'gsv', cwd: workspace, workspace, toolKey: 'session.send' }),
  gist: ({ session_id, content }) => `${session_id}: ${content.slice(0, 120)}`,
  run: ({ session_id, content }, { sessionId }) =>
    translateErrors(async () => {
      const request = { sessionKey: session_id, message: content, waitSeconds: 0, from: sessionId }
      const { sessionKey } = await present(deps.post).send(request)
      return { content: textContent(`Sent to ${sessionKey}`) }
    }),
})

const spawnTool = (deps: MiclawSessionDeps): Tool<ReturnType<typeof spawnShape.parse>> => ({
  description: 'Let a sub-agent with read-only tools research something, and get its answer as text.',
  ...spawnShape,
  readOnly: true,
  access: spawnAccess,
  gist: ({ prompt }) => prompt.slice(0, 120),
  run: ({ prompt }, context) => runSubAgent(deps.subagents, { prompt }, context),
})

export function miclawSessionTools(deps: MiclawSessionDeps): [string, Tool][] {
  const factsOf = ({ sessionId }: ToolContext): SessionFacts => present(deps.sessionFacts?.(sessionId))

  return [
    [
      'agents_list',
      look(
        'What is known about you, the agent.',
        empty,
        () => 'agent',
        (_, context) => {
          const { session, siblings } = factsOf(context)
          return lines({
            agent: session.agentId,
            model: session.model,
            workspace: session.workspace,
            sessions: siblings,
          })
        },
      ),
    ],
    [
      'sessions_list',
      look(
        'List sessions, the latest first: id, messages, last activity, title.',
        listShape,
        () => 'sessions',
        ({ limit = 20 }) =>
          present(deps.post)
            .list({ limit, offset: 0, messageLimit: 0 })
            .map(({ sessionKey, messageCount, lastActiveAt, label }) =>
              [sessionKey, messageCount, new Date(lastActiveAt).toISOString(), label].join('\t'),
            )
            .join('\n') || 'No sessions.',
      ),
    ],
    [
      'sessions_history',
      look(
        'The last messages of a session.',
        historyShape,
        ({ session_id }) => session_id,
        ({ session_id, limit = 20 }) =>
          present(deps.post)
            .history(session_id, limit)
            .map(({ role, content, timestamp }) => `[${new Date(timestamp).toISOString()}] ${role}: ${content}`)
            .join('\n\n') || 'No messages.',
      ),
    ],
    ['sessions_send', sendTool(deps)],
    ['sessions_spawn', spawnTool(deps)],
    [
      'subagents',
      look(
        'List sub-agents at work: id, start, steps, tokens, task.',
        empty,
        () => 'sub-agents',
        (_, { sessionId }) =>
          present(deps.subagents)
            .active(sessionId)
            .map(({ sessionId: id, startedAt, steps, tokens, task }) =>
              [id, new Date(startedAt).toISOString(), steps, tokens, task].join('\t'),
            )
            .join('\n') || 'No sub-agents are at work.',
      ),
    ],
    [
      'sessions_status',
      look(
        'This session: id, messages, tokens, cost.',
        empty,
        () => 'this session',
        (_, context) => {
          const { session, messages } = factsOf(context)
          const { inputTokens, outputTokens, cachedTokens, cost } = session.usage
          return lines({
            id: session.id,
            messages,
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            cached_tokens: cachedTokens,
            cost: cost === null ? 'unknown' : `$${cost.toFixed(4)}`,
          })
        },
      ),
    ],
  ]
}

const lines = (facts: Record<string, string | number>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
