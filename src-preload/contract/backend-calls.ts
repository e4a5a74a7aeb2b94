import { z } from 'zod'
import type { BackendChoices, BackendsEvent } from './backends'
import { call, none, numberBy, read, textBy } from './call'
import { commandWordRule, distributionRule, portRule, tmuxSessionRule } from './field-rules'
import { nodeId } from './node-calls'

const name = textBy(commandWordRule)
const tmux = z.union([z.literal(true), textBy(tmuxSessionRule)])

export const backendPlace = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local'), tmux }),
  z.strictObject({
    kind: z.literal('container'),
    name,
    engine: z.enum(['docker', 'podman', 'kubectl']).optional(),
    tmux: tmux.optional(),
  }),
  z.strictObject({ kind: z.literal('wsl'), name: textBy(distributionRule), tmux: tmux.optional() }),
  z.strictObject({
    kind: z.literal('ssh'),
    host: name,
    port: numberBy(portRule).optional(),
    tmux: tmux.optional(),
  }),
])

const connects = 'Connect to another machine?'

/** ssh hosts, containers and tmux as nodes. What can be done about any node is in `node-calls`. */
export const backendCalls = {
  'backend.choices': read<BackendChoices>()(none),
  /** Connects first: what cannot be reached is not kept. Answers with the node's id. */
  'backend.add': call<string>()(() => z.strictObject({ id: nodeId.optional(), place: backendPlace }), connects),
  'backend.connect': call<null>()(() => z.strictObject({ id: z.string().min(1).max(64) }), connects),
  'backend.questions': read<BackendsEvent>()(none),
  /** `null` gives up. */
  'backend.answer': call<null>()(
    () => z.strictObject({ id: z.string().max(64), answer: z.string().max(4096).nullable() }),
    'Answer what ssh asks?',
  ),
} as const
