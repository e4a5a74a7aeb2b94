/** Who wants to be told of something. */
export const createListeners = <Args extends unknown[]>() => {
  const listeners = new Set<(...args: Args) => void>()
  return {
    /** Returns a function that stops listening. */
    add: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: (...args: Args): void => {
      for (const listener of listeners) listener(...args)
    },
  }
}
