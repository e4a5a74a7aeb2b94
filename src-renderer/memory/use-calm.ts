import { useEffect, useState } from 'react'

/** A value once it has stood still for a moment: whoever types asks for the last word, not for each letter. */
export function useCalm<Value>(value: Value, ms = 200): Value {
  const [calm, setCalm] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return calm
}
