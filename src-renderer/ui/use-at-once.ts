import { startTransition, useOptimistic } from 'react'

/**
 * Shows a choice at once, while it is being saved; afterwards the stored value is shown again, which is the same unless
 * saving failed. `save` reports a failure itself: its promise never rejects.
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
