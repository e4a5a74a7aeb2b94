import { defineConfig } from 'vitest/config'

/** Vitest only loads and runs it; what it found is told by scripts/fuzz.mjs. */
export default defineConfig({
  test: {
    include: ['security/fuzz/run.ts'],
    testTimeout: 7_200_000,
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
})
