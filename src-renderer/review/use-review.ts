import { useEffect, useState } from 'react'
import type { ReviewList } from '../../src-preload/contract/review'
import { type Asked, useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'

/** Files also change from outside: by an editor, a terminal, another session. */
const lookAgainMs = 5_000

/**
 * The files to review: loaded when the panel opens, after an announced change, and at intervals while it is visible.
 */
export function useReview(sessionId: string): { list: ReviewList | null; asked: Asked } {
  const [list, setList] = useState<ReviewList | null>(null)
  const changes = useDeckhand((state) => state.reviewChanges[sessionId] ?? 0)
  const receipts = useDeckhand((state) => state.receipts)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  const [receiptCount, setReceiptCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new receipt is the reason
  useEffect(() => setReceiptCount((before) => before + 1), [receipts])
  const asked = useAsk(
    () => call('review.list', { sessionId }).then((next) => setList((before) => (same(before, next) ? before : next))),
    `${sessionId} ${changes} ${receiptCount} ${status}`,
  )
  const { again } = asked
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && again()
    const timer = setInterval(look, lookAgainMs)
    window.addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
    }
  }, [again])
  useEffect(() => {
    load('review.comments', { sessionId }).catch((error: Error) => console.warn(error.message))
  }, [sessionId])
  return { list, asked }
}

/** Keeps the old list if nothing has changed, so that nothing is rendered again. */
const same = (before: ReviewList | null, next: ReviewList): boolean =>
  before !== null && JSON.stringify(before) === JSON.stringify(next)
