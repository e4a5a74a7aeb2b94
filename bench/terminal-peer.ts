import { createWriteStream } from 'node:fs'
import { spawn } from 'node-pty'

/**
 * What the pipeline is compared with, in a process like its own: bare node-pty, node-pty into a file, and node-pty with
 * the flow control of VS Code's terminal (pause above 100,000 unacknowledged characters, go on below 5,000).
 */

interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: number }) => void): void
  start(): void
}
interface Request {
  kind: 'raw' | 'file' | 'paused' | 'first-byte'
  argv: [string, ...string[]]
  path?: string
}
const parent = (
  process as unknown as {
    parentPort: {
      postMessage(message: unknown): void
      on(event: 'message', listener: (event: { data: Request; ports: Port[] }) => void): void
    }
  }
).parentPort

parent.on('message', async ({ data, ports }) => {
  parent.postMessage(await measure(data, ports[0]))
})

async function measure({ kind, argv, path }: Request, port: Port | undefined): Promise<number> {
  const start = performance.now()
  const [file, ...args] = argv
  const pty = spawn(file, args, { cols: 120, rows: 30, ...(kind === 'paused' ? {} : { encoding: null }) })
  if (kind === 'first-byte') {
    await new Promise<void>((resolve) => void pty.onData(() => resolve()))
    return performance.now() - start
  }
  if (kind === 'raw') pty.onData(() => {})
  const out = path ? createWriteStream(path) : null
  if (out) pty.onData((chunk) => void out.write(chunk))
  if (port) sendWithPauses(pty, port)
  await new Promise<void>((resolve) => void pty.onExit(() => resolve()))
  if (out) await new Promise<void>((resolve) => out.end(() => resolve()))
  return performance.now() - start
}

function sendWithPauses(pty: ReturnType<typeof spawn>, port: Port): void {
  let unacknowledged = 0
  let batch = ''
  let scheduled = false
  let paused = false
  const send = () => {
    scheduled = false
    port.postMessage(batch)
    batch = ''
  }
  pty.onData((chunk) => {
    batch += chunk
    unacknowledged += chunk.length
    if (!scheduled) setTimeout(send, 5)
    scheduled = true
    if (unacknowledged > 100_000 && !paused) {
      paused = true
      pty.pause()
    }
  })
  port.on('message', ({ data }) => {
    unacknowledged -= data
    if (unacknowledged < 5000 && paused) {
      paused = false
      pty.resume()
    }
  })
  port.start()
}
