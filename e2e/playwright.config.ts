import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  // One more than the cores of the smallest machine: a third of a test is waiting for something to appear.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // A trace of every test would double the time of the run.
    trace: 'off',
    // Asked for after failures only, it would still be made of each test; what failed is pictured by the page fixture.
    screenshot: 'off',
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
    {
      name: 'desk',
      testIgnore: /handheld-count[.]spec[.]ts$/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'handheld',
      // What is done with one hand, standing, as far as the layout may decide it: a program of its own there is none.
      grep: /accessibility[.]spec|handheld-count[.]spec|@handheld/,
      use: { viewport: { width: 360, height: 640 }, hasTouch: true },
    },
  ],
})
