import { parentPort } from 'node:worker_threads'
// The extension is required: tests run this file directly in Node, which does not add it.
import { pageText } from './page-text.ts'

/** The worker thread of `page-reader.ts`, since a long page takes seconds of CPU time. */
const port = parentPort
if (!port) throw new Error('This file is the inside of a worker thread')

port.on('message', async ({ id, html, address }: { id: number; html: string; address: string }) => {
  try {
    port.postMessage({ id, page: await pageText(html, address) })
  } catch (error) {
    port.postMessage({ id, problem: error instanceof Error ? error.message : String(error) })
  }
})
