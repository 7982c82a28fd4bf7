import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'desk', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'handheld',
      // Where size makes a difference; sentences are the same on every screen.
      testIgnore:
        /(login|readme|register|broken-server|locations|analytics|audit|session|count-sentences|label-sentences)[.]spec[.]ts$/,
      use: { viewport: { width: 360, height: 640 }, hasTouch: true },
    },
  ],
})
