import type { ImportPreview } from '@inventory-manager/contract/imports/endpoints'
import type { PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { howMany } from '@inventory-manager/contract/numbers'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Notes } from '../ui/notes.tsx'

const isRepeat = ({ fault }: PreviewRow) => fault?.startsWith('the barcode stands already') === true

/** Says of barcodes that stand in several lines what a list of locations needs, beside leaving them out. */
function RepeatsNote() {
  return (
    <Banner tone="warn">
      A barcode stands in several lines. Where each line says what there is at one location, leave none out:
      go back to the columns, and choose which of them is the Location.
    </Banner>
  )
}

/** How many components an import would bring back. */
function returnOf(reinstated: number): string {
  return howMany(
    reinstated,
    'of the changed is retired and comes back.',
    'of the changed are retired and come back.',
  )
}

/** Says of new codes that are those of components but for zeros in front what has become of those. */
function ShortenedNote({ rows, barcode, component }: NonNullable<ImportPreview['shortened']>) {
  const differ = howMany(
    rows,
    'of the new differs from a component you have only by zeros in front',
    'of the new differ from components you have only by zeros in front',
  )
  return (
    <Banner tone="warn">
      {differ} ({barcode}, {component}): a spreadsheet has dropped them. Format the column of the barcodes as
      text there, and export again.
    </Banner>
  )
}

/** Says the same of new codes that have zeros in front which components lack. */
function LengthenedNote({ rows, barcode, component }: NonNullable<ImportPreview['lengthened']>) {
  const differ = howMany(
    rows,
    'of the new has zeros in front that a component you have lacks',
    'of the new have zeros in front that components you have lack',
  )
  return (
    <Banner tone="warn">
      {differ} ({barcode}, {component}): another program may have added them. Where both are the same product,
      take the zeros off in the file.
    </Banner>
  )
}

/** Says that the file has stock which is not set, and how it is. */
function OtherStockNote({ rows, isHere }: { rows: number; isHere: boolean }) {
  const say = howMany(
    rows,
    'row says other stock than there is; it is left as it is.',
    'rows say other stock than there is; it is left as it is.',
  )
  return (
    <Banner tone="warn">
      {say} To set it, {isHere ? 'go back to the columns' : 'cancel this import, choose the file again'} and
      tick “Also set the stock of existing components”.
    </Banner>
  )
}

type BareNoteProps = NonNullable<ImportPreview['bare']> & { onShow: () => void }

/** Says of rows with a code alone what they may be. */
function BareNote({ rows, lack, onShow }: BareNoteProps) {
  const lacking = lack === 'description' ? 'a code and no description' : 'a code and nothing beside it'
  const say = howMany(rows, `new row has ${lacking}`, `new rows have ${lacking}`)
  return (
    <Banner tone="warn">
      <span className="flex flex-wrap items-center justify-between gap-3">
        <span>{say}, as headings and totals within a list have.</span>
        <Button onClick={onShow}>{rows === 1 ? 'Show it' : 'Show them'}</Button>
      </span>
    </Banner>
  )
}

type PreviewNotesProps = Pick<
  ImportPreview,
  'reinstated' | 'shortened' | 'lengthened' | 'other_stock' | 'bare'
> & {
  /** Shows the rows that have a code alone. */
  onBare: () => void
  /** Whether the file is here, to go back to its columns. */
  isHere: boolean
  /** How numbers were read that may be thousands as well as decimals; null where that is not known. */
  readAs: string | null
  /** The rows that are shown, once there are any. */
  pages: readonly { rows: readonly PreviewRow[] }[] | undefined
}

/** What is said of what an import would do, beside its rows. */
export function PreviewNotes(props: PreviewNotesProps) {
  const { reinstated, shortened, lengthened, other_stock: otherStock = 0 } = props
  const { bare, isHere, readAs, pages = [] } = props
  return (
    <Notes about="this import">
      {readAs !== null && <Banner tone="info">{readAs}</Banner>}
      {pages.some(({ rows }) => rows.some(isRepeat)) && <RepeatsNote />}
      {reinstated > 0 && <Banner tone="info">{returnOf(reinstated)}</Banner>}
      {otherStock > 0 && <OtherStockNote rows={otherStock} isHere={isHere} />}
      {bare !== undefined && <BareNote {...bare} onShow={props.onBare} />}
      {shortened !== undefined && <ShortenedNote {...shortened} />}
      {lengthened !== undefined && <LengthenedNote {...lengthened} />}
    </Notes>
  )
}
