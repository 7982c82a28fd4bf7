import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import type { Job, Refusal } from '../outbox/store.ts'
import type { CountJob } from './count-jobs.ts'

/** What a job is to who entered it, and what they can do with it again. */
const inWords: Record<CountJob['kind'], [what: string, again: string]> = {
  entry: ['this scan', 'Send'],
  undo: ['this undo', 'Try'],
  note: ['this note', 'Send'],
  trace: ['this message', 'Send'],
}

/** What is refused on the way each time, while the server answers what else it is asked. */
export function blocked({ value }: Job<CountJob>): Refusal {
  return { code: 'blocked', message: entryMessages.blocked(...inWords[value.kind]) }
}
