import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Parts whose tests leave nothing behind in their process: their files share a worker, which saves starting one for each. */
const sharing = ['src-renderer', 'src-main/{agents,approval,settings,skills}'].map(
  (part) => `${part}/**/*.test.{ts,tsx}`,
)

// Login shells read the profile of their home: an empty one is fast, and the same on every machine.
const HOME = mkdtempSync(join(tmpdir(), 'deckhand-home-'))
process.once('exit', () => rmSync(HOME, { recursive: true, force: true }))

export default defineConfig({
  test: {
    env: { HOME },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'together', include: sharing, isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [
            'src-*/**/*.test.{ts,tsx}',
            '{bench,bin,scripts,conformance}/**/*.test.ts',
            'packaging/*.test.ts',
            'agents/agents.test.ts',
          ],
          exclude: ['node_modules/**', ...sharing],
        },
      },
    ],
  },
})
