import { defineConfig } from 'vitest/config'

/** One more than the cores of the smallest machine: a third of a test is waiting for a program, a moment or a disk. */
export default defineConfig({ test: { projects: ['contract', 'server', 'web'], maxWorkers: 3 } })
