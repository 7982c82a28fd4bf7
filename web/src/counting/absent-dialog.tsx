import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useMemo, useState } from 'react'
import { formatNumber, skus } from '../lib/numbers.ts'
import { cleanCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { readScannerSettings } from '../scanning/settings.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { Described } from './bin.tsx'
import { placesOf, search, soughtIn } from './component-index.ts'
import { useOpenRecounts } from './count-entries.ts'
import type { ListedComponent } from './count-list.ts'
import { skuOf } from './count-results.ts'
import type { CountResult } from './count-verdicts.ts'
import { heldInFields, useLeftOfMine, useLeftToCount, type LeftOptions } from './left-to-count.ts'

/** So many are entered at once: nobody has looked for more in one go. */
const mostAtOnce = 100

type AbsentDialogProps = LeftOptions & {
  /** Enters 0 for each of the SKUs. */
  onConfirm: (barcodes: readonly string[]) => void
  onClose: () => void
}

type RowProps = {
  item: ListedComponent
  /** Counted since the dialog was opened, or with an entry that waits. */
  isDone: boolean
  isChosen: boolean
  /** It was entered in this count already, and did not match. */
  didNotMatch: boolean
  onChoose: (isChosen: boolean) => void
}

function Standing({ item, isDone, didNotMatch }: Pick<RowProps, 'item' | 'isDone' | 'didNotMatch'>) {
  if (isDone) return <Badge tone="good">Counted</Badge>
  if (didNotMatch) return <Badge tone="bad">Did not match</Badge>
  return item.expected_quantity === undefined ? null : (
    <Badge>Expected {formatNumber(item.expected_quantity)}</Badge>
  )
}

function Row({ item, isChosen, onChoose, ...standing }: RowProps) {
  return (
    <li>
      <label className="flex min-h-14 items-center gap-3 py-1">
        <input
          type="checkbox"
          aria-label={item.barcode}
          checked={isChosen && !standing.isDone}
          disabled={standing.isDone}
          onChange={({ target }) => onChoose(target.checked)}
          className="size-5 shrink-0 accent-accent lg:size-4"
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-sm">{item.barcode}</span>
          <Described {...item} />
        </span>
        <Standing item={item} {...standing} />
      </label>
    </li>
  )
}

/** What is left, and in its place what was when the dialog was opened: no row moves under a finger while others count. */
function useRows(left: readonly ListedComponent[]) {
  const [rows, setRows] = useState(left)
  const [seen, setSeen] = useState(left)
  if (left !== seen) {
    const places = placesOf(rows)
    const more = left.filter(({ barcode }) => !places.has(barcode))
    setSeen(left)
    if (more.length > 0) setRows([...rows, ...more])
  }
  return rows
}

/** What of that is looked at: what a text finds, in the bins that whoever counts is asked to count, or everywhere. */
function useView(left: readonly ListedComponent[], scope: LeftOptions['scope']) {
  const rows = useRows(left)
  const company = useScannersOfCompany()
  const [wanted, setWanted] = useState('')
  const { bins, ofMine } = useLeftOfMine(scope)
  const [isMine, setMine] = useState(true)
  const ofView = (items: readonly ListedComponent[]) => (isMine ? ofMine(items) : items)
  const found = ofView(search(rows, cleanCode(wanted, readScannerSettings(company))) ?? rows)
  return { rows, wanted, setWanted, bins, isMine, setMine, ofView, found }
}

type View = ReturnType<typeof useView>

function FindLeft({ rows, wanted, setWanted, bins, isMine, setMine }: View) {
  return (
    <>
      <TextField
        label="Find what is left"
        type="search"
        placeholder={soughtIn(rows)}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={wanted}
        onKeyDown={({ key, currentTarget }) => {
          // A scan ends with it; the next takes its place.
          if (key === 'Enter') currentTarget.select()
        }}
        onChange={({ target }) => setWanted(target.value)}
      />
      {bins.length > 0 && (
        <div className="pt-2">
          <Checkbox
            label={`Only ${binsInWords(bins)}`}
            checked={isMine}
            onChange={({ target }) => setMine(target.checked)}
          />
        </div>
      )}
    </>
  )
}

/** Why nothing is shown of what is left in the view. */
function emptyTitle(inView: readonly unknown[], { wanted, isMine, bins }: View): string {
  if (inView.length > 0) return countMessages.noneMatch(wanted.trim())
  return isMine && bins.length > 0 ? `Nothing is left of ${binsInWords(bins)}.` : countMessages.nonePending
}

/** What of the list is chosen. Whoever scans one behind the dialog has found it, whatever came of that: it is chosen no more. */
function useChosen(left: readonly ListedComponent[], unmatched: readonly CountResult[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set<string>())
  const [seen, setSeen] = useState({ left, unmatched })
  if (seen.left !== left || seen.unmatched !== unmatched) {
    const isNew = (result: CountResult) => !seen.unmatched.some(({ id }) => id === result.id)
    const found = new Set(unmatched.filter(isNew).map(({ barcode }) => skuOf(barcode)))
    const stillLeft = left.map(({ barcode }) => barcode).filter((barcode) => !found.has(skuOf(barcode)))
    setSeen({ left, unmatched })
    setChosen(new Set(stillLeft.filter((barcode) => chosen.has(barcode))))
  }

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

  return { chosen, choose }
}

/**
 * What was looked for and is not there, entered as 0, one SKU or many at once: what is not counted is not none. Each is an entry
 * like any other, so what was expected to be there is to be counted again.
 */
export function AbsentDialog(props: AbsentDialogProps) {
  const { scope, components } = props
  const [held] = useState(() => heldInFields(scope, components))
  const all = useLeftToCount(props)
  const left = useMemo(() => all.filter(({ barcode }) => !held.has(barcode)), [all, held])
  const unmatched = useOpenRecounts(scope, components)
  const again = new Set(unmatched.map(({ barcode }) => skuOf(barcode)))
  const { chosen, choose } = useChosen(left, unmatched)
  const view = useView(left, scope)
  const { found } = view
  const shown = found.slice(0, mostAtOnce)
  const inView = view.ofView(left)
  // What was counted meanwhile, by anybody, is left no more.
  const open = new Map(inView.map((item) => [item.barcode, item]))
  const offered = shown.filter(({ barcode }) => open.has(barcode))
  const entered = inView.filter(({ barcode }) => chosen.has(barcode)).map(({ barcode }) => barcode)
  const isTooMany = entered.length > mostAtOnce

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
            Count {skus(entered.length)} as 0
          </Button>
        </>
      }
    >
      <p className="pb-3">{entryMessages.absent}</p>
      <FindLeft {...view} />
      {shown.length === 0 ? (
        <EmptyState title={emptyTitle(inView, view)} />
      ) : (
        <>
          <Checkbox
            label={`All ${formatNumber(offered.length)} shown`}
            checked={offered.length > 0 && offered.every(({ barcode }) => chosen.has(barcode))}
            disabled={offered.length === 0}
            onChange={({ target }) => choose(offered, target.checked)}
          />
          <ul className="divide-y divide-line border-t border-line" aria-label="Left to count">
            {shown.map((item) => (
              <Row
                key={item.barcode}
                item={open.get(item.barcode) ?? item}
                isDone={!open.has(item.barcode)}
                isChosen={chosen.has(item.barcode)}
                didNotMatch={again.has(item.barcode)}
                onChoose={(isChosen) => choose([item], isChosen)}
              />
            ))}
          </ul>
        </>
      )}
      {found.length > shown.length && (
        <p className="pt-3 text-sm text-muted">{entryMessages.absentMore(found.length - shown.length)}</p>
      )}
      {isTooMany && (
        <p role="alert" className="pt-3 text-sm text-bad-text">
          {entryMessages.absentTooMany(mostAtOnce)}
        </p>
      )}
    </Dialog>
  )
}
