import { defineConfig } from '@playwright/test'

/** Every page in both themes and three sizes, to be looked at: npm run e2e -- -c e2e/walk.config.ts */
export default defineConfig({
  testDir: '.',
  testMatch: 'walk.ts',
  outputDir: '../test-results/walk-state',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
})
