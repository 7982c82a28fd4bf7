import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import { positionOf, type Sheet } from '@inventory-manager/contract/labels/sheets'

/** The content of a page, and how many labels are made with it. */
interface PageContent {
  content: string
  labels: number
}

type Draw = (label: LabelItem, corner: { x: number; y: number }) => string

/**
 * The contents of the pages of a label job, label by label and copy by copy, from the `first` free position (1) on; null
 * after a label whose page is not full yet.
 */
export function sheetPages(
  labels: Iterable<LabelItem>,
  draw: Draw,
  { sheet, first }: { sheet: Sheet; first: number },
): Iterable<PageContent | null> {
  const [corner] = sheet.cells
  return sheet.cells.length === 1 && corner !== undefined
    ? rollPages(labels, (label) => draw(label, corner))
    : fullPages(labels, draw, { sheet, first })
}

/** One label on each page: copies show the same. */
function* rollPages(labels: Iterable<LabelItem>, draw: (label: LabelItem) => string): Generator<PageContent> {
  for (const label of labels) {
    const content = draw(label)
    for (let copy = 0; copy < copiesOf(label); copy += 1) yield { content, labels: 1 }
  }
}

function* fullPages(
  labels: Iterable<LabelItem>,
  draw: Draw,
  { sheet, first }: { sheet: Sheet; first: number },
): Generator<PageContent | null> {
  let parts: string[] = []
  let nth = 0
  for (const label of labels) {
    for (let copy = 0; copy < copiesOf(label); copy += 1) {
      const { cell } = positionOf(nth, first, sheet)
      if (cell === 0 && parts.length > 0) {
        yield { content: parts.join('\n'), labels: parts.length }
        parts = []
      }
      const corner = sheet.cells[cell]
      if (corner === undefined) throw new RangeError(`The sheet has no position ${cell + 1}.`)
      parts.push(draw(label, corner))
      nth += 1
      yield null
    }
  }
  if (parts.length > 0) yield { content: parts.join('\n'), labels: parts.length }
}

function copiesOf(label: LabelItem): number {
  return label.copies ?? 1
}
