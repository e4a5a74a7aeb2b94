import { useEffect, useState } from 'react'

/** The time, kept current as often as the words that are made of it change; with `null` it stands still. */
export function useNow(everyMs: number | null = 15_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
