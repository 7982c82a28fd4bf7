import { wholeNumber } from '../numbers.ts'
import { maxQuantity } from '../values.ts'

/** What was counted under a code at a place, by the name that people read. */
type CountedAt = { quantity: number; place: string }

const countedAt = ({ quantity, place }: CountedAt) => `${wholeNumber(quantity)} at ${place}`

/** What was counted under a code before it was given to a component; nothing where none was. */
export function countedBefore(counted: readonly CountedAt[], sku: string): string {
  const [first, ...others] = counted.filter(({ quantity }) => quantity > 0)
  if (first === undefined) return ''
  const [verb, are] = first.quantity === 1 && others.length === 0 ? ['was', 'is'] : ['were', 'are']
  const all = [
    `${wholeNumber(first.quantity)} of it ${verb} counted under this code at ${first.place}`,
    ...others.map(countedAt),
  ]
  return ` ${new Intl.ListFormat('en-US').format(all)} and ${are} in no count: count ${sku} there again.`
}

export const unknownCodeMessages = {
  loading: (message: string) => `Error loading unknown codes: ${message}`,
  deciding: (message: string) => `Nothing was changed: ${message}`,
  decidingOthers: (decided: number, message: string) =>
    `${wholeNumber(decided)} codes were changed, the others were not: ${message}`,
  /** Where the answer is missing: the change may have been made. */
  unanswered: (message: string) =>
    `${message} It is not known whether this arrived. The list shows the current state.`,
  unansweredOthers: (decided: number, message: string) =>
    `${wholeNumber(decided)} codes were changed. ${message} It is not known whether the others arrived. The list shows the current state.`,
  created: (code: string) => `${code} is a component now. Count it to record what is there.`,
  createdWithStock: (code: string) => `${code} is a component now, with the stock that you gave.`,
  stockAt: (place: string) => `Stock at ${place}`,
  stockHint: 'As it was counted under this code. Empty: none yet.',
  wrongStock: `Give a whole number from 0 to ${wholeNumber(maxQuantity)} as its stock, or nothing.`,
  existed: (code: string) => `${code} was a component already.`,
  reinstated: (sku: string) => `${sku} is back in the lists.`,
  retired: (sku: string) => `belongs to ${sku}, which is retired`,
  added: (code: string, { sku, pieces }: { sku: string; pieces: number }) =>
    pieces === 1
      ? `Code ${code} is a barcode of ${sku} now.`
      : `Code ${code} is a pack of ${wholeNumber(pieces)} of ${sku} now.`,
  /** What becomes of the entries of it that devices keep until it is known. */
  packKept: 'Counts of it that wait on devices: each scan becomes a pack, what was typed stays pieces.',
  ignored: (code: string) => `${code} is ignored from now on.`,
  ignoredMany: (count: number) => `${wholeNumber(count)} codes are ignored from now on.`,
  reopened: (code: string) => `${code} is back in the list.`,
} as const
