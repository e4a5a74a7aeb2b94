import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['agents/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
