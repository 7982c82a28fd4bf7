import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { isAnsweredOnTheWay } from '../api/api-error.ts'
import type { OutboxOptions } from './options.ts'
import type { Refusal } from './store.ts'

/** So often something on the way answers for the server before the server itself is asked whether it is there. */
const patience = 5

/** What is refused on the way each time, while the server answers what else it is asked. */
const blocked: Refusal = { code: 'blocked', message: entryMessages.blocked }

/**
 * Tells what a firewall or proxy does not let through, and never will, from what it answers because the server is away: that waits.
 * Else one entry would hold up all behind it for ever.
 */
export function createBlockedJobs({ isServerThere }: Pick<OutboxOptions<never, never>, 'isServerThere'>) {
  const tries = new Map<string, number>()
  return {
    refusalOf: async (id: string, error: unknown): Promise<Refusal | null> => {
      if (!isAnsweredOnTheWay(error)) return null
      const tried = (tries.get(id) ?? 0) + 1
      tries.set(id, tried)
      return tried >= patience && (await isServerThere()) ? blocked : null
    },
  }
}

export type BlockedJobs = ReturnType<typeof createBlockedJobs>
