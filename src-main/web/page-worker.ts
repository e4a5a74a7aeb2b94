import { parentPort } from 'node:worker_threads'
// With its extension: a test starts this very file, and Node itself looks for exactly what is written.
import { pageText } from './page-text.ts'

/** The far end of `page-reader.ts`: a thread of its own, as a long page takes seconds of pure computing. */
const port = parentPort
if (!port) throw new Error('This file is the inside of a worker thread')

port.on('message', async ({ id, html, address }: { id: number; html: string; address: string }) => {
  try {
    port.postMessage({ id, page: await pageText(html, address) })
  } catch (error) {
    port.postMessage({ id, problem: error instanceof Error ? error.message : String(error) })
  }
})
