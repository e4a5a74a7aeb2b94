import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from '../state/format'
import { hoverTitle } from './hover-title'

/** How long ago, kept current by the minute; the exact time on hover. */
export function When({ time }: { time: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={new Date(time).toISOString()} {...hoverTitle(() => exactTime(time))}>
      {relativeTime(time, now)}
    </time>
  )
}
