import { startTransition, useOptimistic } from 'react'

/**
 * What was chosen, from the moment it is chosen: it stands while it is being saved, and then what holds stands again, which
 * is the same unless saving failed. Whoever saves says why it failed, and gives a promise that never rejects.
 */
export function useAtOnce<Value>(
  held: Value,
  save: (value: Value) => Promise<void> | void,
): [Value, (value: Value) => void] {
  const [shown, show] = useOptimistic(held)
  const choose = (value: Value) => {
    const saved = save(value)
    if (!saved) return
    startTransition(async () => {
      show(value)
      await saved
    })
  }
  return [shown, choose]
}
