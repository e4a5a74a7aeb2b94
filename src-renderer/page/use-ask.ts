import { useCallback, useEffect, useRef, useState } from 'react'

export interface Asked {
  busy: boolean
  /** Why the last attempt failed; empty if it did not. */
  problem: string
  again: () => void
}

/** Asks main for the content of a part of the window, when it opens and whenever `about` changes. */
export function useAsk(ask: () => Promise<void>, about = ''): Asked {
  const [busy, setBusy] = useState(true)
  const [problem, setProblem] = useState('')
  const latest = useRef(ask)
  latest.current = ask
  const turn = useRef(0)

  const again = useCallback(() => {
    turn.current += 1
    const mine = turn.current
    setBusy(true)
    latest.current().then(
      () => {
        if (mine !== turn.current) return
        setProblem('')
        setBusy(false)
      },
      (error: Error) => {
        if (mine !== turn.current) return
        setProblem(error.message)
        setBusy(false)
      },
    )
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked about is the reason to ask again
  useEffect(() => {
    again()
    return () => {
      turn.current += 1
    }
  }, [about, again])

  return { busy, problem, again }
}
