/** What an entry of the history is: a count, one that takes another back, or one that a device only reported. */
export const countEntries = ['counted', 'taken_back', 'reported'] as const

export type CountEntry = (typeof countEntries)[number]

/** What people read for it. */
export const countEntryNames = {
  counted: 'Counted',
  taken_back: 'Taken back',
  reported: 'Reported by the device',
} satisfies Record<CountEntry, string>
