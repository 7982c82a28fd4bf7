export const adjustReasonKeys = ['received', 'issued', 'damaged', 'lost', 'found', 'other'] as const

export type AdjustReason = (typeof adjustReasonKeys)[number]

/** Why stock changes by an amount: whether it adds, takes, or may do either. The reason is the cause of the movement. */
export const adjustReasons = {
  received: { name: 'Received', way: 'adds' },
  issued: { name: 'Issued', way: 'takes' },
  damaged: { name: 'Damaged', way: 'takes' },
  lost: { name: 'Lost', way: 'takes' },
  found: { name: 'Found', way: 'adds' },
  other: { name: 'Other', way: 'either' },
} as const satisfies Record<AdjustReason, { name: string; way: 'adds' | 'takes' | 'either' }>

type Adjustment = { reason: AdjustReason; amount: number; note: string }

/** What is wrong with an amount for its reason, in a sentence; null where nothing is. */
export function adjustmentFault({ reason, amount, note }: Adjustment): string | null {
  const { name, way } = adjustReasons[reason]
  if (way === 'adds' && amount < 0) return `'${name}' adds to the stock. Give an amount above 0.`
  if (way === 'takes' && amount > 0) return `'${name}' takes from the stock. Give an amount below 0.`
  if (way === 'either' && note === '') return 'Say in the note why the stock changes.'
  return null
}
