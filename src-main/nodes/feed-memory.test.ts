import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openInProcessHost } from './host-link'
import { createLocalNode, type LocalNode } from './local'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** A feed that has ended. Only the node itself can still keep its listener in memory. */
async function endedFeed(node: LocalNode, id: string, folder: string): Promise<WeakRef<object>> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const listener = {
    event: ({ type }: { type: string }) => type === 'exit' && end(),
    input: () => {},
    resize: () => {},
  }
  const feed = await node.openFeed({ id, logPath: join(folder, id), cols: 80, rows: 24, offset: 0 }, listener)
  feed.push(Buffer.from('some output\r\n'))
  feed.end({ exitCode: 0, signal: null })
  await ended
  return new WeakRef(listener)
}

test('of a process of another machine that has ended, nothing is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-feeds-'))
  const node = createLocalNode({ openHost: () => openInProcessHost() })
  try {
    const listeners: WeakRef<object>[] = []
    for (let number = 0; number < 5; number++) listeners.push(await endedFeed(node, `f${number}`, folder))
    if (typeof collect !== 'function') throw new Error('There is no way to collect garbage here')
    await expect
      .poll(() => {
        collect()
        return listeners.filter((listener) => listener.deref()).length
      })
      .toBe(0)
  } finally {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
