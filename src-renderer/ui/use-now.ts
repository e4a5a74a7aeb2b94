import { useEffect, useState } from 'react'

/** The current time, updated at this interval; with `null` it is not updated. */
export function useNow(everyMs: number | null = 15_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
