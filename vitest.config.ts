import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Login shells read the profile of their home: an empty one is fast, and the same on every machine.
    env: { HOME: mkdtempSync(join(tmpdir(), 'deckhand-home-')) },
    include: [
      'src-*/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
      'bin/**/*.test.ts',
      'scripts/**/*.test.ts',
      'conformance/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
