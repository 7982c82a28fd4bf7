import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    // The server is read once for each worker: no module of it keeps anything of a database, a company or a test.
    isolate: false,
    // Long, because a busy machine takes three times as long, and no test is there to be fast.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
