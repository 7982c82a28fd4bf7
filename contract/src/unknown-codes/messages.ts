import { wholeNumber } from '../numbers.ts'

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
