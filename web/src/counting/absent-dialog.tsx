import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { search } from './component-index.ts'
import { useOpenRecounts } from './count-entries.ts'
import type { ListedComponent } from './count-list.ts'
import { skuOf } from './count-results.ts'
import { useLeftToCount, type LeftOptions } from './left-to-count.ts'

/** So many are entered at once: nobody has looked for more in one go. */
const mostAtOnce = 100

type AbsentDialogProps = LeftOptions & {
  /** Enters 0 for each of the SKUs. */
  onConfirm: (barcodes: readonly string[]) => void
  onClose: () => void
}

type RowProps = {
  item: ListedComponent
  isChosen: boolean
  /** It was entered in this count already, and did not match. */
  didNotMatch: boolean
  onChoose: (isChosen: boolean) => void
}

function Row({ item, isChosen, didNotMatch, onChoose }: RowProps) {
  return (
    <li>
      <label className="flex min-h-14 items-center gap-3 py-1">
        <input
          type="checkbox"
          aria-label={item.barcode}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
          className="size-5 shrink-0 accent-accent lg:size-4"
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-sm">{item.barcode}</span>
          <span className="block truncate text-sm text-muted">{item.description || 'No Description'}</span>
        </span>
        {didNotMatch ? (
          <Badge look="bad">Did not match</Badge>
        ) : (
          item.expected_quantity !== undefined && (
            <Badge>Expected {formatNumber(item.expected_quantity)}</Badge>
          )
        )}
      </label>
    </li>
  )
}

/**
 * What was looked for and is not there, entered as 0, one SKU or many at once: what is not counted is not none. Each is an entry
 * like any other, so what was expected to be there is to be counted again.
 */
export function AbsentDialog(props: AbsentDialogProps) {
  const left = useLeftToCount(props)
  const again = new Set(useOpenRecounts(props.scope, props.components).map(({ barcode }) => skuOf(barcode)))
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set<string>())
  const found = search(left, wanted) ?? left
  const shown = found.slice(0, mostAtOnce)
  // What was counted meanwhile, by anybody, is left no more.
  const entered = left.filter(({ barcode }) => chosen.has(barcode)).map(({ barcode }) => barcode)
  const isTooMany = entered.length > mostAtOnce

  function choose(items: readonly ListedComponent[], isChosen: boolean): void {
    setChosen((before) => {
      const after = new Set(before)
      for (const { barcode } of items) {
        if (isChosen) after.add(barcode)
        else after.delete(barcode)
      }
      return after
    })
  }

  return (
    <Dialog
      title="Confirm absent"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Keep counting</Button>
          <Button
            look="danger"
            disabled={entered.length === 0 || isTooMany}
            onClick={() => props.onConfirm(entered)}
          >
            {entered.length === 1 ? 'Count 1 SKU as 0' : `Count ${formatNumber(entered.length)} SKUs as 0`}
          </Button>
        </>
      }
    >
      <p className="pb-3">{countMessages.absent}</p>
      <TextField
        label="Find what is left"
        type="search"
        placeholder="Code or description"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      {shown.length === 0 ? (
        <EmptyState
          title={left.length === 0 ? countMessages.nonePending : countMessages.noneMatch(wanted.trim())}
        />
      ) : (
        <>
          <Checkbox
            label={`All ${formatNumber(shown.length)} shown`}
            checked={shown.every(({ barcode }) => chosen.has(barcode))}
            onChange={({ target }) => choose(shown, target.checked)}
          />
          <ul className="divide-y divide-line border-t border-line" aria-label="Left to count">
            {shown.map((item) => (
              <Row
                key={item.barcode}
                item={item}
                isChosen={chosen.has(item.barcode)}
                didNotMatch={again.has(item.barcode)}
                onChoose={(isChosen) => choose([item], isChosen)}
              />
            ))}
          </ul>
        </>
      )}
      {found.length > shown.length && (
        <p className="pt-3 text-sm text-muted">{countMessages.absentMore(found.length - shown.length)}</p>
      )}
      {isTooMany && (
        <p role="alert" className="pt-3 text-sm text-bad-text">
          {countMessages.absentTooMany(mostAtOnce)}
        </p>
      )}
    </Dialog>
  )
}
