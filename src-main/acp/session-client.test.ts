import * as sdk from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { ClientRefusal } from '../tools/client/session-client'
import { sessionClient } from './session-client'

/** Both ends of the protocol in one process: what a client that loses track of a command is taken for. */

const { terminal } = sdk.methods.client
const never = (): Promise<never> => new Promise(() => {})

/** A client whose terminals never answer the request that waits for the end. */
async function withClient(
  output: () => sdk.TerminalOutputResponse | Promise<sdk.TerminalOutputResponse>,
  work: (client: ReturnType<typeof sessionClient>, looks: () => number) => Promise<void>,
): Promise<void> {
  const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  let looks = 0
  const editor = sdk
    .client({ name: 'editor' })
    .onRequest(terminal.create, () => ({ terminalId: 'one' }))
    .onRequest(terminal.waitForExit, never)
    .onRequest(terminal.output, () => {
      looks++
      return output()
    })
    .onRequest(terminal.release, () => ({}))
    .connect(sdk.ndJsonStream(there.writable, back.readable))
  const agent = sdk.agent({ name: 'ours' }).connect(sdk.ndJsonStream(back.writable, there.readable))
  try {
    await work(sessionClient(sdk, agent.client, 's1', { terminal: true }, 'Test Editor', 20), () => looks)
  } finally {
    editor.close()
    agent.close()
  }
}

const command = { argv: ['sleep', '1'] as const, cwd: '/', env: {}, mostBytes: 1000 }

test('an end that the client shows but does not tell is seen all the same', async () => {
  let over = false
  await withClient(
    () => ({ output: 'said', truncated: false, exitStatus: over ? { exitCode: 3 } : null }),
    async (client, looks) => {
      const opened = await client.openTerminal?.(command)
      await expect.poll(looks).toBeGreaterThan(2)
      over = true
      expect(await opened?.ended).toEqual({ exitCode: 3, signal: null })
      expect(await opened?.output()).toEqual({ text: 'said', truncated: false })
    },
  )
})

test('a client that knows nothing of the command any more is not waited for, whatever the limit of the call', async () => {
  await withClient(
    () => {
      throw sdk.RequestError.resourceNotFound('one')
    },
    async (client) => {
      const opened = await client.openTerminal?.(command)
      await expect(opened?.ended).rejects.toBeInstanceOf(ClientRefusal)
    },
  )
})

test('a terminal that was released is not asked about any more', async () => {
  await withClient(
    () => ({ output: '', truncated: false }),
    async (client, looks) => {
      const opened = await client.openTerminal?.(command)
      await expect.poll(looks).toBeGreaterThan(0)
      await opened?.release()
      const then = looks()
      await new Promise((done) => setTimeout(done, 100))
      expect(looks()).toBeLessThanOrEqual(then + 1)
    },
  )
})
