import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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
