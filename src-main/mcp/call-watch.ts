/** Watches a call: ends it after too long without a sign of life, but not while it waits for the user. */
export interface CallWatch {
  /** Aborts with the call's own signal, or on a timeout. */
  readonly signal: AbortSignal
  heard(): void
  /**
   * Runs something that may wait for the user without a time limit; its signal aborts with the call, or with
   * `withdrawn`.
   */
  asking<Result>(ask: (signal: AbortSignal) => Promise<Result>, withdrawn: AbortSignal): Promise<Result>
  /** Settles when no question is open on its behalf. */
  end(): Promise<void>
}

export function watchCall(given: AbortSignal, silenceMs: number): CallWatch {
  const silent = new AbortController()
  const ended = new AbortController()
  const questions = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined

  const heard = (): void => {
    clearTimeout(timer)
    if (questions.size > 0 || ended.signal.aborted) return
    timer = setTimeout(
      () => silent.abort(new Error(`Nothing was heard from the server for ${Math.round(silenceMs / 1000)} seconds`)),
      silenceMs,
    )
    timer.unref()
  }
  heard()

  return {
    signal: AbortSignal.any([given, silent.signal]),
    heard,
    asking: async (ask, withdrawn) => {
      const question = ask(AbortSignal.any([given, ended.signal, withdrawn]))
      questions.add(question)
      clearTimeout(timer)
      try {
        return await question
      } finally {
        questions.delete(question)
        heard()
      }
    },
    end: async () => {
      ended.abort(new Error('The call has ended'))
      clearTimeout(timer)
      await Promise.allSettled(questions)
    },
  }
}
