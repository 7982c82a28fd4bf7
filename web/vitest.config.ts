import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'web',
    include: ['src/**/*.test.ts'],
    // Long, because a busy machine takes three times as long, and no test is there to be fast.
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
