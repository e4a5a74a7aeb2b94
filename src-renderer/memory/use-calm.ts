import { useEffect, useState } from 'react'

/** A value once it has not changed for a moment, so that typing leads to one request and not one per letter. */
export function useCalm<Value>(value: Value, ms = 200): Value {
  const [calm, setCalm] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return calm
}
