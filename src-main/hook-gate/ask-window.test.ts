import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Engine } from '../engine'
import { answerHook } from './ask-window'

/** What a client is told that sends this; the engine is not asked for a call that cannot be read. */
async function answerTo(sent: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-hook-'))
  const path = join(folder, 'socket')
  const server = createServer((socket) => {
    void answerHook({} as Engine, socket, new Map(), AbortSignal.timeout(10_000), 200)
  })
  server.listen(path)
  await once(server, 'listening')
  try {
    const client = connect(path)
    client.write(sent)
    return await text(client)
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

it.each([
  ['nothing', ''],
  ['the beginning of a line', '{"tool_name": '],
])('a client that sends %s is answered and let go after a while', async (_, sent) => {
  expect(JSON.parse(await answerTo(sent))).toMatchObject({ verdict: 'ask' })
})

it('a call that cannot be read is left to the agent’s own prompt', async () => {
  expect(JSON.parse(await answerTo('rubbish\n'))).toMatchObject({ verdict: 'ask' })
})
