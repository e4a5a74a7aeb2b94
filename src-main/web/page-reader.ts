import { Worker } from 'node:worker_threads'
import { partFile } from '../own-process'
import { WebError } from './errors'
import type { PageText } from './page-text'

/** Reads pages in a worker thread, which starts with the first page and ends when idle. */
interface PageReader {
  read(html: string, address: string): Promise<PageText>
  close(): Promise<void>
}

type Answer = { id: number; page: PageText } | { id: number; problem: string }

const mostChars = 3_000_000
const usualLimitMs = 30_000
const idleMs = 60_000

export function createPageReader(limitMs = usualLimitMs): PageReader {
  const waiting = new Map<number, { done(page: PageText): void; failed(error: Error): void }>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let count = 0

  const stop = async (reason: string): Promise<void> => {
    clearTimeout(idle)
    const old = worker
    worker = null
    const open = [...waiting.values()]
    waiting.clear()
    for (const { failed } of open) failed(new WebError('failed', reason))
    await old?.terminate()
  }
  const rest = (): void => {
    if (waiting.size > 0) return
    worker?.unref()
    clearTimeout(idle)
    idle = setTimeout(() => void stop(''), idleMs).unref()
  }
  const start = (): Worker => {
    const made = new Worker(partFile('page-worker'))
    made.on('message', (answer: Answer) => {
      const wish = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('page' in answer) wish?.done(answer.page)
      else wish?.failed(new WebError('failed', `the page could not be read: ${answer.problem}`))
      rest()
    })
    const lost = (error: Error): void => {
      if (worker === made) void stop(`the page could not be read: ${error.message}`)
    }
    made.on('error', lost)
    made.on('exit', () => lost(new Error('its reader ended')))
    return made
  }

  return {
    read: (html, address) =>
      new Promise((done, failed) => {
        const id = ++count
        // A page that takes too long is stopped by ending the thread.
        const limit = setTimeout(
          () => void stop('the page takes too long to read; ask for its source with raw'),
          limitMs,
        )
        const settle =
          <Value>(use: (value: Value) => void) =>
          (value: Value): void => {
            clearTimeout(limit)
            use(value)
          }
        waiting.set(id, { done: settle(done), failed: settle(failed) })
        clearTimeout(idle)
        worker ??= start()
        worker.ref()
        worker.postMessage({ id, html: html.slice(0, mostChars), address })
      }),
    close: () => stop('Deckhand is closing'),
  }
}
