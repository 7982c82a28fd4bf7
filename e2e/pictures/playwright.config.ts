import { defineConfig } from '@playwright/test'
import shared from '../playwright.config.ts'

/** The pictures of every screen: made by hand with `npm run screenshots`, not a test. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: '*.pictures.ts',
  outputDir: '../../test-results/pictures',
  fullyParallel: false,
  workers: 1,
  timeout: 600_000,
  projects: [{ name: 'pictures' }],
})
