import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useReducer } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { arePiecesInFields, isAnyInFields, leftInFields } from '../scanning/saved-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Described } from './bin.tsx'
import { useEntryCounts, useOpenRecounts } from './count-entries.ts'
import type { ListedComponent } from './count-list.ts'
import { useLeftOfMine, useLeftToCount, type LeftOptions } from './left-to-count.ts'

/** What else is left is in the list of the count. */
const mostShown = 50

type FinishDialogProps = LeftOptions & { onFinish: () => void; onClose: () => void }

type LeftProps = {
  items: readonly ListedComponent[]
  /** The bins that these lie in; none where it is all of the count. */
  bins: readonly string[]
  elsewhere: number
}

function skusAre(number: number): string {
  return howMany(number, 'SKU is', 'SKUs are')
}

function Left({ items, bins, elsewhere }: LeftProps) {
  const where = bins.length === 0 ? '' : ` of ${binsInWords(bins)}`
  const more = items.length - mostShown
  return (
    <>
      <p className="wrap-anywhere">
        {items.length === 0
          ? `Nothing is left to count${where}.`
          : `${skusAre(items.length)} left to count${where}.`}
        {elsewhere > 0 && ` ${skusAre(elsewhere)} left elsewhere.`}
      </p>
      {items.length > 0 && (
        <ul className="divide-y divide-line border-y border-line" aria-label="Left to count">
          {items.slice(0, mostShown).map((item) => (
            <li key={item.barcode} className="py-1">
              <span className="block truncate font-mono text-sm">{item.barcode}</span>
              <Described {...item} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-sm text-muted">and {formatNumber(more)} more</p>}
    </>
  )
}

/** Shows what is left of a count before it is put down; whoever comes back starts it again, and what is counted stays counted. */
export function FinishDialog({ onFinish, onClose, ...count }: FinishDialogProps) {
  const { components, scope } = count
  const left = useLeftToCount(count)
  const { bins, ofMine } = useLeftOfMine(scope)
  const mine = ofMine(left)
  const again = useOpenRecounts(scope, components).length
  const { waiting } = useEntryCounts(scope.session)
  const isOpen = isAnyInFields(scope.session)
  const leftOut = leftInFields(scope.session)
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  // Whoever goes on scanning behind this dialog puts something into the fields after it was drawn.
  const finish = () => (isAnyInFields(scope.session) ? lookAgain() : onFinish())
  return (
    <Dialog
      title="Finish counting?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep counting</Button>
          {!isOpen && (
            <Button look="primary" onClick={finish}>
              Finish
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-2">
        {isOpen && (
          <p className="font-medium text-warn-text">
            The values in the fields have not been entered.{' '}
            {arePiecesInFields(scope.session)
              ? 'Press Submit first.'
              : 'Press Submit first: Next Item leaves them out.'}
          </p>
        )}
        {leftOut !== null && (
          <p className="font-medium break-words text-warn-text">
            {entryMessages.leftOut(leftOut.barcode, leftOut.asking ?? leftOut.quantity)} To count it, keep
            counting and press Put back.
          </p>
        )}
        {again > 0 && (
          <p>
            {howMany(again, 'quantity did not match and is', 'quantities did not match and are')} to be
            counted again.
          </p>
        )}
        {waiting > 0 && (
          <p>
            {howMany(
              waiting,
              'scan is waiting on this device. It will still be sent.',
              'scans are waiting on this device. They will still be sent.',
            )}
          </p>
        )}
        <Left items={mine} bins={bins} elsewhere={left.length - mine.length} />
        <p>What is counted stays counted. Start again to go on.</p>
      </div>
    </Dialog>
  )
}
