import { useEffect, useState } from 'react'

/** A value once it has not changed for a moment, so that typing leads to one request and not one per letter. */
export function useDebounced<Value>(value: Value, ms = 200): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
