/** What an API key may be allowed; none includes another. */
export const scopes = ['read', 'count', 'labels', 'admin'] as const

export type Scope = (typeof scopes)[number]

/** What each scope opens, in words for the screen and the reference. */
export const scopeMeanings: Record<Scope, string> = {
  read: 'Read components, counts, figures, the audit trail and live news',
  count: 'Record counts, save count records and reset marks',
  labels: 'Generate label files, within the plan’s allowance',
  admin: 'Change stock and the high-volume plan, decide discrepancies, verify the trail',
}
