import { exactTime, relativeTime } from '../state/format'
import { hoverTitle } from './hover-title'
import { useNow } from './use-now'

/** How long ago, kept current; the exact time on hover. */
export function When({ time }: { time: number }) {
  const now = useNow(60_000)
  return (
    <time dateTime={new Date(time).toISOString()} {...hoverTitle(() => exactTime(time))}>
      {relativeTime(time, now)}
    </time>
  )
}
