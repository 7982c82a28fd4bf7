/** What an API key may be allowed; none includes another. */
export const scopes = ['read', 'count', 'labels', 'admin'] as const

export type Scope = (typeof scopes)[number]

/** What each scope opens, in words for the screen and the reference. */
export const scopeMeanings: Record<Scope, string> = {
  read: 'Read components, counts, transfers, figures, the audit trail and live news',
  count: 'Record counts, take them back or add a note, save count records, reset marks',
  labels: 'Generate label files, within the plan’s allowance',
  admin:
    'Change components, other barcodes, bins, minimums, unit costs, stock, what locations keep and weekly lists; import, transfer and retire; say who counts; read and decide discrepancies and unknown codes; read accuracy, what stock is worth and live counts; export records; verify the trail',
}
