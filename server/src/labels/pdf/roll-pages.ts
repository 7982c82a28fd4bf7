import type { LabelItem } from '@inventory-manager/contract/labels/layout'

/** The contents of the pages of a label roll: one label on each, copies behind one another. */
export function* rollPages(
  labels: Iterable<LabelItem>,
  draw: (label: LabelItem) => string,
): Generator<string> {
  for (const label of labels) {
    const content = draw(label)
    for (let copy = 0; copy < (label.copies ?? 1); copy += 1) yield content
  }
}
