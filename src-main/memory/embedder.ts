import { Worker } from 'node:worker_threads'

/** Turns text into a vector of length 1, so that texts of like meaning point in like directions. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /** A question that somebody waits for goes before notes that wait to be indexed. */
  embed(text: string, when: 'now' | 'later'): Promise<Float32Array>
  /**
   * A cosine on the scale on which scores are given, 0 to 1. Only the bare cosine goes into it, never the best one of a
   * search: what is not near must not seem so because everything else is further away.
   */
  nearness(cosine: number): number
  close(): Promise<void>
}

interface Wish {
  text: string
  done(vector: Float32Array): void
  failed(error: Error): void
}

type Answer = { vector: Float32Array } | { problem: string }

/** The weights take 150 MB while they are loaded. */
const idleMs = 5 * 60_000
/** For one text, the loading of the weights included, on a busy machine. */
const longestMs = 2 * 60_000

/**
 * A question and its answer are less alike than two answers: with this model what belongs together begins at a cosine of
 * about 0.26, which becomes 0.35. See retrieval.test.ts.
 */
const bend = 0.775

/** The bundled model, in a thread that starts with the first text, goes when nobody needs it, and never holds up an exit. */
export function createLocalEmbedder(): Embedder {
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
    const made = new Worker(workerFile())
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

/** Built, it lies beside the program's entries, and this code in one of them or in a chunk; else it is the source itself. */
function workerFile(): URL {
  const here = import.meta.url
  const name = here.endsWith('.ts')
    ? './embed-worker.ts'
    : here.includes('/chunks/')
      ? '../embed-worker.js'
      : './embed-worker.js'
  return new URL(name, here)
}
