import type { reviewCalls } from '../../src-preload/contract/review-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Looking through changes, and what is done with them. */
export function reviewHandlers({ reviewing, runner, channels }: Engine): HandlersFor<typeof reviewCalls> {
  return {
    'review.list': async ({ sessionId }) => (await reviewing()).review.list(sessionId),
    'review.diff': async (place) => (await reviewing()).review.diff(place),
    'review.accept': async (choice) => nothing(await (await reviewing()).review.accept(choice)),
    'review.revert': async (choice) => (await reviewing()).review.revert(choice),
    'review.takeAll': async ({ sessionId, scope, files }) =>
      nothing(await (await reviewing()).review.takeAll(sessionId, scope, files)),
    'review.unaccept': async ({ sessionId, path }) => nothing((await reviewing()).review.unaccept(sessionId, path)),
    'review.view': async ({ sessionId, path, stamp }) =>
      nothing((await reviewing()).review.view(sessionId, path, stamp)),
    'review.comments': async ({ sessionId }) => ({
      type: 'review-comments',
      sessionId,
      comments: (await reviewing()).review.comments(sessionId),
    }),
    'review.comment': async (comment) => nothing((await reviewing()).review.comment(comment)),
    'review.uncomment': async ({ sessionId, id }) => nothing((await reviewing()).review.uncomment(sessionId, id)),
    'review.send': async ({ sessionId, note }) => {
      const text = (await reviewing()).review.takeComments(sessionId, note)
      channels.spokeHere(sessionId)
      return nothing(runner.send(sessionId, text, []))
    },
    'review.message': async ({ sessionId }) => (await reviewing()).proposeMessage(sessionId),
    'review.plan': async ({ sessionId, wish }) => (await reviewing()).ship.plan(sessionId, wish),
    'review.run': async ({ planId, typed }) => (await reviewing()).ship.run(planId, typed),
  }
}
