import { defineConfig } from 'vitest/config'

/** Vitest only loads and runs it; what it found is told by scripts/security.mjs. */
export default defineConfig({
  test: {
    include: ['security/run.ts'],
    testTimeout: 1_800_000,
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
})
