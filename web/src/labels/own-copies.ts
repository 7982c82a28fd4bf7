import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { copiesOf } from './print-choice.ts'

/** What was typed as a component's own copies, by barcode; those of each label where nothing was. */
export type OwnCopies = ReadonlyMap<string, string>

type Items = readonly { barcode: string }[]

/** A component's own copies; undefined where it has none, 0 for what is no number of copies. */
export function ownCopiesOf(barcode: string, own: OwnCopies): number | undefined {
  const typed = own.get(barcode) ?? ''
  return typed.trim() === '' ? undefined : copiesOf(typed)
}

/** How many labels these are, with the copies of each that has none of its own. */
export function countOwnLabels(items: Items, { own, each }: { own: OwnCopies; each: number }): number {
  return items.reduce((sum, { barcode }) => sum + (ownCopiesOf(barcode, own) ?? each), 0)
}

/** Which of these have no number of copies where one was typed, in a sentence; null where all do. */
export function ownCopiesFault(items: Items, own: OwnCopies): string | null {
  const faulty = items.find(({ barcode }) => ownCopiesOf(barcode, own) === 0)
  return faulty === undefined ? null : `Copies of ${faulty.barcode}: ${labelMessages.copies}`
}
