import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NodeError } from '../node-error'
import { ripgrep } from './ripgrep'

test.skipIf(process.platform === 'win32')('a search that does not end is ended by its limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-search-'))
  try {
    // A file that is named explicitly is opened, and nobody ever writes into this one.
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const { signal } = new AbortController()
    const search = async (): Promise<void> => {
      for await (const found of ripgrep(['x', 'pipe'], { cwd: folder, separator: '\n', signal, limitMs: 200 }))
        expect.fail(found)
    }
    await expect(search()).rejects.toThrow(
      new NodeError('Timeout', 'The search took more than 0.2 s. Search a smaller folder.'),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
