import { z } from 'zod'
import { call, id, read } from './call'
import type { ReviewDiff, ReviewEvent, ReviewList, ShipPlan } from './review'

const path = z.string().min(1).max(4096)
const scope = z.enum(['session', 'unstaged', 'staged'])
const place = z.strictObject({ sessionId: id, scope, path })
const stamp = z.string().min(1).max(100)
const lineNumber = z.int().min(1).max(10_000_000)
/** Left out: the file as a whole. */
const lines = z.array(z.int().min(0).max(1_000_000)).min(1).max(100_000).optional()
const choice = place.extend({ stamp, lines })

const wish = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('commit'), message: z.string().max(20_000) }),
  z.strictObject({ kind: z.literal('push') }),
  z.strictObject({
    kind: z.literal('pull-request'),
    title: z.string().max(300),
    body: z.string().max(60_000),
    draft: z.boolean(),
  }),
])

/** Looking through changes, taking them or taking them back, and what is done with them afterwards. */
export const reviewCalls = {
  'review.list': read<ReviewList>()(() => z.strictObject({ sessionId: id })),
  'review.diff': read<ReviewDiff>()(place),
  'review.accept': call<null>()(choice, 'Accept a change?'),
  /** Answers with the id of a receipt by which it can be undone; null where only the index changed. */
  'review.revert': call<string | null>()(choice, 'Revert a change?'),
  /** Whole files: accepts or stages them, or takes them out of the index. */
  'review.takeAll': call<null>()(
    () => z.strictObject({ sessionId: id, scope, files: z.array(z.strictObject({ path, stamp })).min(1).max(1000) }),
    'Accept, stage or unstage these files?',
  ),
  'review.unaccept': call<null>()(() => z.strictObject({ sessionId: id, path })),
  'review.view': call<null>()(() => z.strictObject({ sessionId: id, path, stamp: stamp.nullable() })),
  'review.comments': read<ReviewEvent>()(() => z.strictObject({ sessionId: id })),
  'review.comment': call<null>()(() =>
    place.extend({
      id: id.optional(),
      side: z.enum(['before', 'after']),
      line: lineNumber,
      endLine: lineNumber,
      excerpt: z.string().max(20_000),
      text: z.string().min(1).max(20_000),
    }),
  ),
  'review.uncomment': call<null>()(() => z.strictObject({ sessionId: id, id })),
  /** Sends all comments to the agent as one message. */
  'review.send': call<null>()(() => z.strictObject({ sessionId: id, note: z.string().max(20_000) })),
  /** A message for what is staged: by the model where there is one, or else from the names of the files. */
  'review.message': call<string>()(() => z.strictObject({ sessionId: id }), 'Have the model propose a commit message?'),
  'review.plan': read<ShipPlan>()(() => z.strictObject({ sessionId: id, wish })),
  /** Answers with the id of the process that does it. */
  'review.run': call<string>()(
    () => z.strictObject({ planId: id, typed: z.string().max(100) }),
    'Commit, push or open a pull request?',
  ),
} as const
