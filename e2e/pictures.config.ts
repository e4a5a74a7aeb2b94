import { defineConfig } from '@playwright/test'

/** The pictures of the README, made from a session that really runs: npm run e2e -- -c e2e/pictures.config.ts */
export default defineConfig({
  testDir: '.',
  testMatch: 'pictures.ts',
  outputDir: '../test-results/pictures',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
})
