import { Readable, Writable } from 'node:stream'
import { createAcpServer } from '../acp/server'
import { modeOf, openHeadlessEngine } from './headless-engine'
import type { Stopping } from './stopping'

/** Serves our engine as an agent over standard input and output, until the client is gone. */
export async function acp(options: Map<string, string>, _: string[], stopping: Stopping): Promise<number> {
  // The protocol has standard output for itself.
  console.log = console.error
  const engine = await openHeadlessEngine(options, stopping, true)
  try {
    const { ndJsonStream } = await import('@agentclientprotocol/sdk')
    const app = await createAcpServer(engine, { mode: modeOf(options), sandbox: options.has('sandbox') })
    const stream = ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>,
    )
    const connection = app.connect(stream)
    const stop = (): void => connection.close()
    stopping.signal.addEventListener('abort', stop)
    await connection.closed
    return stopping.exitCode ?? 0
  } finally {
    await engine.close()
  }
}
