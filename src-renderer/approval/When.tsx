import { useEffect, useState } from 'react'
import { span } from '../terminal/words'

/** How long ago, kept current; the exact time on hover. */
export function When({ time }: { time: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  const exact = new Date(time)
  const ago = now - time < 60_000 ? 'just now' : `${span(now - time)} ago`
  return (
    <time className="approval-when" dateTime={exact.toISOString()} title={exact.toLocaleString()}>
      {ago}
    </time>
  )
}
