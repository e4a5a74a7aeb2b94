import { Worker } from 'node:worker_threads'
import { partFile } from '../own-process'
import { type ModelPlace, modelMissingNote } from './model-folder'

/** Turns text into a vector of length 1. Texts of similar meaning have similar directions. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /** `now` is for questions that someone waits for; they go before notes to be indexed (`later`). */
  embed(text: string, when: 'now' | 'later'): Promise<Float32Array>
  /**
   * Converts a cosine to a score from 0 to 1. It depends on this cosine only, not on the best one of the search: a
   * distant passage must not score well just because all others are more distant.
   */
  nearness(cosine: number): number
  /** Why nothing can be embedded, for the user; absent when it can. */
  readonly problem?: string
  close(): Promise<void>
}

interface Wish {
  text: string
  done(vector: Float32Array): void
  failed(error: Error): void
}

type Answer = { vector: Float32Array } | { problem: string }

/** The thread ends after this time, since the weights take 150 MB while they are loaded. */
const idleMs = 5 * 60_000
/** Time limit for one text, including loading the weights, on a busy machine. */
const longestMs = 2 * 60_000

/**
 * A question and its answer are less similar than two answers: with this model, related texts start at a cosine of
 * about 0.26, which is mapped to 0.35. See retrieval.test.ts.
 */
const bend = 0.775

/** The model in a worker thread, which starts with the first text, ends when idle and never delays the exit. */
export function createLocalEmbedder(model: ModelPlace = { kind: 'npm-package' }): Embedder {
  const queues: Record<'now' | 'later', Wish[]> = { now: [], later: [] }
  let worker: Worker | null = null
  let current: Wish | null = null
  let idle: NodeJS.Timeout | undefined
  let limit: NodeJS.Timeout | undefined

  const tooLong = (): void => {
    void stop()
    settle((wish) => wish.failed(new Error('The embedding took too long')))
  }
  const next = (): void => {
    if (current) return
    clearTimeout(idle)
    current = queues.now.shift() ?? queues.later.shift() ?? null
    if (current) {
      worker ??= start()
      worker.ref()
      worker.postMessage(current.text)
      limit = setTimeout(tooLong, longestMs).unref()
    } else if (worker) {
      worker.unref()
      idle = setTimeout(stop, idleMs).unref()
    }
  }
  const settle = (use: (wish: Wish) => void): void => {
    clearTimeout(limit)
    const wish = current
    current = null
    if (wish) use(wish)
    next()
  }
  const start = (): Worker => {
    const made = new Worker(partFile('embed-worker'), { workerData: model.kind === 'folder' ? model.path : null })
    const lost = (error: Error): void => {
      if (worker !== made) return
      worker = null
      settle((wish) => wish.failed(error))
    }
    made.on('message', (answer: Answer) =>
      settle((wish) => ('vector' in answer ? wish.done(answer.vector) : wish.failed(new Error(answer.problem)))),
    )
    made.on('error', lost)
    made.on('exit', () => lost(new Error('The embedding thread ended')))
    return made
  }
  const stop = async (): Promise<void> => {
    const old = worker
    worker = null
    await old?.terminate()
  }

  return {
    model: 'minilm-l6-v2',
    ...(model.kind === 'missing' && { problem: modelMissingNote }),
    embed: (text, when) =>
      new Promise((done, failed) => {
        queues[when].push({ text, done, failed })
        next()
      }),
    nearness: (cosine) => (cosine > 0 ? cosine ** bend : 0),
    async close() {
      clearTimeout(idle)
      clearTimeout(limit)
      const waiting = [...(current ? [current] : []), ...queues.now.splice(0), ...queues.later.splice(0)]
      current = null
      await stop()
      for (const wish of waiting) wish.failed(new Error('The embedder was closed'))
    },
  }
}
