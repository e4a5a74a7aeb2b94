import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: 'package.test.ts',
  outputDir: '../../test-results/package',
  workers: 1,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
})
