import { z } from 'zod'
import { call, none, read, textBy } from './call'
import { nodeNameRule } from './field-rules'
import type { NodeInvitation, NodeLog, NodesEvent } from './nodes'

const existing = z.string().min(1).max(64)
/** Never `__`, which separates a node from a tool. */
export const nodeId = textBy(nodeNameRule)

/** Other machines: adding them, and what can be done about them. */
export const nodeCalls = {
  /** The nodes, and a transfer each. */
  'node.list': read<NodesEvent[]>()(none),
  /** Makes a fresh token, and opens the gateway if it was not open yet. */
  'node.add': call<NodeInvitation>()(
    () =>
      z.strictObject({
        id: nodeId,
        role: z.enum(['execution', 'specialized']).optional(),
        workspace: z.string().max(4096).optional(),
      }),
    'Let another machine connect?',
  ),
  /** A new token for a node that exists; the old one stops working at once. */
  'node.renewToken': call<NodeInvitation>()(() => z.strictObject({ id: existing }), 'Make a new token for a node?'),
  'node.rename': call<null>()(() => z.strictObject({ id: existing, newId: nodeId })),
  /** Closes the connection. The node comes back by itself unless it is revoked. */
  'node.disconnect': call<null>()(() => z.strictObject({ id: existing })),
  /** Forgets the node: its token is void and it cannot come back. */
  'node.revoke': call<null>()(() => z.strictObject({ id: existing }), 'Remove a node?'),
  /** Lets a node use what it offers beyond what it had when it was added. */
  'node.approve': call<null>()(() => z.strictObject({ id: existing }), 'Let a node use all that it offers?'),
  'node.makePrimary': call<null>()(() => z.strictObject({ id: existing })),
  'node.logs': read<NodeLog>()(() => z.strictObject({ id: existing, lines: z.int().min(1).max(2000).optional() })),
  'node.probe': read<Record<string, boolean>>()(() =>
    z.strictObject({
      id: existing,
      bins: z
        .array(z.string().regex(/^[A-Za-z0-9._+-]{1,64}$/))
        .min(1)
        .max(100),
    }),
  ),
  /** A terminal of the user's own on that machine, in a session's drawer. */
  'node.openTerminal': call<string>()(
    () => z.strictObject({ id: existing, sessionId: z.string().min(1).max(200) }),
    'Open a terminal on another machine?',
  ),
  'transfer.cancel': call<null>()(() => z.strictObject({ id: existing })),
} as const
