import { defineConfig } from 'vitest/config'

/** Two at a time: as many as the smallest machine has cores, of which Vitest would leave one idle. */
export default defineConfig({ test: { projects: ['contract', 'server', 'web'], maxWorkers: 2 } })
