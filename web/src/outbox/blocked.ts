import { isAnsweredOnTheWay } from '../api/api-error.ts'
import type { OutboxOptions } from './options.ts'
import type { Job, Refusal } from './store.ts'

/** So often something on the way answers for the server before the server itself is asked whether it is there. */
const patience = 5

/**
 * Tells what a firewall or proxy does not let through, and never will, from what it answers because the server is away: that waits.
 * Else one entry would hold up all behind it for ever.
 */
export function createBlockedJobs<T>({
  isServerThere,
  blocked,
}: Pick<OutboxOptions<T, never>, 'isServerThere' | 'blocked'>) {
  const tries = new Map<string, number>()
  return {
    refusalOf: async (job: Job<T>, error: unknown): Promise<Refusal | null> => {
      if (!isAnsweredOnTheWay(error)) return null
      const tried = (tries.get(job.id) ?? 0) + 1
      tries.set(job.id, tried)
      return tried >= patience && (await isServerThere()) ? blocked(job) : null
    },
  }
}

export type BlockedJobs<T> = ReturnType<typeof createBlockedJobs<T>>
