import { z } from '../zod.ts'
import { instant } from '../values.ts'

/** What an entry of the history is: a count, one that takes another back, or one that a device only reported. */
export const countEntries = ['counted', 'taken_back', 'reported'] as const

export type CountEntry = (typeof countEntries)[number]

/** What people read for it. */
export const countEntryNames = {
  counted: 'Counted',
  taken_back: 'Taken back',
  reported: 'Reported by the device',
} satisfies Record<CountEntry, string>

/** When a count was taken back, by an entry of its own, where a server tells that. */
export const takenBack = z
  .nullish(instant)
  .check(z.describe('When the count was taken back; null where it stands.'))

/** What stands beside a count in replies, where a server knows notes. */
export const countNote = z
  .nullish(z.string())
  .check(z.describe('What whoever counted has said of it. Only administrators see this.'))
