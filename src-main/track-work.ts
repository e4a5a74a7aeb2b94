/** Work that goes on after what began it, and that somebody waits for in the end. */
export const trackWork = (failed: (error: unknown) => void) => {
  const pending = new Set<Promise<void>>()
  return {
    add: (work: Promise<void>): void => {
      const done = work.catch(failed).finally(() => pending.delete(done))
      pending.add(done)
    },
    settled: async (): Promise<void> => {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
