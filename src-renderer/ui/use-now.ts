import { useEffect, useState } from 'react'

/** The current time, read again every so many milliseconds; with `null` it stays as it was. */
export function useNow(everyMs: number | null = 15_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
