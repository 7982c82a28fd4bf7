import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/** Files whose tests mostly wait, for a reader, a pause or a program: one beside others leaves the processor to them. */
const waiting = [
  'webhooks.api.test.ts',
  'readers.api.test.ts',
  'large-company.test.ts',
  'allowance.api.test.ts',
  'embedded-postgres.test.ts',
  'replies.api.test.ts',
  'nightly-backup.test.ts',
  'start-failure.test.ts',
  'closing.test.ts',
  'names.test.ts',
  'cut-when-untaken.test.ts',
]

const isWaiting = ({ moduleId }: TestSpecification): boolean =>
  waiting.some((name) => moduleId.endsWith(`/${name}`))

/** The usual order, with the files that wait spread among the server's others, and what is short at the end. */
class SpreadSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isServer = ({ project }: TestSpecification) => project.name === 'server'
    const spread = sorted.filter((file) => isServer(file) && !isWaiting(file))
    const apart = Math.ceil(spread.length / (waiting.length + 2))
    for (const [nth, file] of sorted.filter(isWaiting).entries()) spread.splice(nth * (apart + 1), 0, file)
    return [...spread, ...sorted.filter((file) => !isServer(file))]
  }
}

/** Two more than the cores of the smallest machine: one of them waits, and so does a third of the tests of the others. */
export default defineConfig({
  test: {
    projects: ['contract', 'server', 'web'],
    maxWorkers: 4,
    sequence: { sequencer: SpreadSequencer },
  },
})
