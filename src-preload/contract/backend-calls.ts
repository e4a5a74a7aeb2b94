import { z } from 'zod'
import type { BackendChoices, BackendsEvent } from './backends'
import { call, none, read } from './call'
import { nodeId } from './node-calls'

/** A word of a command line, and never one that is read as an option. */
const name = z.string().regex(/^[^\s-]\S{0,199}$/)

const session = z.string().regex(/^[\w-]{1,64}$/)
const tmux = z.union([z.literal(true), session])

export const backendPlace = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local'), tmux }),
  z.strictObject({
    kind: z.literal('container'),
    name,
    engine: z.enum(['docker', 'podman', 'kubectl']).optional(),
    tmux: tmux.optional(),
  }),
  z.strictObject({ kind: z.literal('wsl'), name, tmux: tmux.optional() }),
  z.strictObject({
    kind: z.literal('ssh'),
    host: name,
    port: z.int().min(1).max(65535).optional(),
    tmux: tmux.optional(),
  }),
])

const connects = 'Connect to another machine?'

/** ssh hosts, containers and tmux as nodes. What can be done about any node is in `node-calls`. */
export const backendCalls = {
  'backend.choices': read<BackendChoices>()(none),
  /** Connects first: what cannot be reached is not kept. Answers with the node's id. */
  'backend.add': call<string>()(z.strictObject({ id: nodeId.optional(), place: backendPlace }), connects),
  'backend.connect': call<null>()(z.strictObject({ id: z.string().min(1).max(64) }), connects),
  'backend.questions': read<BackendsEvent>()(none),
  /** `null` gives up. */
  'backend.answer': call<null>()(
    z.strictObject({ id: z.string().max(64), answer: z.string().max(4096).nullable() }),
    'Answer what ssh asks?',
  ),
} as const
