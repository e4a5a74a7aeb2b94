/** Thrown where work is left because the user stopped it. */
export class Aborted extends Error {
  constructor() {
    super('Stopped.')
    this.name = 'Aborted'
  }
}

/**
 * Waits for `work`, but not beyond an abort: then the work has `graceMs` to settle by itself (a killed process still
 * writes its last state) before it is left behind.
 */
export const orAbort = <T>(work: Promise<T>, signal: AbortSignal, graceMs = 0): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = () => reject(new Aborted())
    const onAbort = () => {
      if (graceMs === 0) leave()
      else timer = setTimeout(leave, graceMs)
    }
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    work.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error) => {
        settle()
        reject(error)
      },
    )
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })

/** Resolves after `ms`; rejects with `Aborted` at once when the user stops. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Aborted())
      return
    }
    const onAbort = () => {
      clearTimeout(timer)
      reject(new Aborted())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
