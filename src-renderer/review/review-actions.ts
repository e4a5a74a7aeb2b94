import type { ReviewComment, ReviewDiff, ReviewFile, ReviewScope } from '../../src-preload/contract/review'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { announce, attempt, toast } from '../state/toasts'
import { verbs } from './review-words'

export interface ReviewActions {
  accept(file: ReviewFile & { scope: ReviewScope }, lines?: number[]): Promise<void>
  revert(file: ReviewFile & { scope: ReviewScope }, lines?: number[]): Promise<void>
  view(file: ReviewFile, viewed: boolean): Promise<void>
  comment(
    diff: ReviewDiff,
    place: Pick<ReviewComment, 'side' | 'line' | 'endLine'>,
    excerpt: string,
    text: string,
  ): void
  takeAll(scope: ReviewScope, files: readonly ReviewFile[]): Promise<void>
}

/** Files that change because of what the user just did here, so that no notice is needed. */
const expected = new Set<string>()
const keyOf = (sessionId: string, path: string): string => `${sessionId} ${path}`
export const wasExpected = (sessionId: string, path: string): boolean => expected.delete(keyOf(sessionId, path))

/** The actions in the review of a session. Main announces their results. */
export const reviewActions = (sessionId: string): ReviewActions => ({
  accept: ({ scope, path, stamp }, lines) => {
    expected.add(keyOf(sessionId, path))
    return attempt(
      call('review.accept', { sessionId, scope, path, stamp, lines }).then(() =>
        announce(`${verbs[scope].accepted} ${path}`),
      ),
    )
  },
  revert: ({ scope, path, stamp }, lines) => {
    expected.add(keyOf(sessionId, path))
    return attempt(
      call('review.revert', { sessionId, scope, path, stamp, lines }).then((callId) => {
        announce(`${verbs[scope].reverted} ${path}`)
        if (callId !== null) offerUndo(sessionId, callId, path, lines !== undefined)
      }),
    )
  },
  view: ({ path, stamp }, viewed) => attempt(call('review.view', { sessionId, path, stamp: viewed ? stamp : null })),
  comment: ({ scope, path }, place, excerpt, text) =>
    void attempt(call('review.comment', { sessionId, scope, path, ...place, excerpt: excerpt.slice(0, 20_000), text })),
  takeAll: (scope, files) =>
    attempt(
      call('review.takeAll', { sessionId, scope, files: files.map(({ path, stamp }) => ({ path, stamp })) }).then(() =>
        announce(`${verbs[scope].accept ? verbs[scope].accepted : verbs[scope].reverted} ${files.length} files`),
      ),
    ),
})

/** A revert is a change like any other: it has a receipt, and can be undone by it. */
function offerUndo(sessionId: string, callId: string, path: string, part: boolean): void {
  toast({
    kind: 'info',
    text: `Reverted ${part ? 'part of ' : ''}${visible(path)}`,
    action: {
      label: 'Undo',
      run: () => {
        expected.add(keyOf(sessionId, path))
        void attempt(
          call('receipt.undo', { callId, direction: 'undo', force: false }).then(({ left }) => {
            if (left.length > 0) throw new Error(`${path} has changed since. It was left as it is.`)
          }),
        )
      },
    },
  })
}
