import { countMessages } from '@inventory-manager/contract/counting/messages'
import {
  startTransition,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { onceShown } from '../lib/in-passing.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { NotLoadedPart } from '../ui/not-loaded-part.tsx'
import { part } from '../ui/part.tsx'
import { inRem } from '../ui/text-size.ts'
import { useByBin } from './by-bin.ts'
import { binIn } from './count-list.ts'
import { hasBins, inBin, itemsAt, placesChosen, search, soughtIn, type Findable } from './component-index.ts'
import { InSheet } from './in-sheet.ts'
import { SoughtBin } from './sought-bin.ts'
import { useMyBins } from './assignments/my-bins.ts'

/** What is looked for; `isBin`: what lies in that bin, and not what a text is found in. */
type Wanted = { text: string; isBin: boolean }

type FindFieldProps = {
  onFind: (wanted: Wanted) => void
  /** By the search alone: what is pending gets less with each scan, which needs no saying. */
  found: number | null
  placeholder: string
  /** Whether a text is the name of a bin, and no component's code. */
  isBin: (text: string) => boolean
  /** The choices beside the search. */
  children: ReactNode
}

/**
 * The search over a count's list, and what else is chosen of it. The search's letters never wait for the list, nor
 * for anything to be drawn but themselves. A scan into it is a scan like any other, and what it typed goes away; but of a
 * bin it shows what lies there, as a scan elsewhere does.
 */
function FindField({ onFind, found, placeholder, isBin, children }: FindFieldProps) {
  const seek = (text: string) => startTransition(() => onFind({ text, isBin: false }))
  const field = useRef<HTMLInputElement>(null)
  const sought = useContext(SoughtBin)
  const show = useEffectEvent((bin: string) => {
    if (field.current !== null) field.current.value = bin
    startTransition(() => onFind({ text: bin, isBin: true }))
  })
  useEffect(() => {
    if (sought !== null) show(sought.bin)
  }, [sought])

  return (
    <div className="isolate border-b border-line px-4 pt-3 pb-1">
      <TextField
        label="Find in the list"
        type="search"
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        data-takes-scans=""
        ref={field}
        onChange={(event) => seek(event.target.value)}
        onKeyDown={(event) => {
          if (!event.defaultPrevented && event.key !== 'Escape') return
          const input = event.currentTarget
          if (event.key !== 'Escape' && isBin(input.value)) {
            // The next scan takes its place.
            input.select()
            return
          }
          input.value = ''
          seek('')
        }}
      />
      <div className="flex flex-wrap gap-x-6">{children}</div>
      <FoundStatus found={found} />
    </div>
  )
}

type LongListProps<T> = {
  label: string
  items: readonly T[]
  /** How many rows are shown at first, and what 'Show All n …' calls them. */
  preview: number
  noun: string
  /** Pixels. */
  rowHeight: number
  /** Whether an item is still to be counted. */
  isPending: (item: T) => boolean
  /** Whether it is of a month, in which people may be asked to count some bins. */
  isOfMonth: boolean
  children: (item: T) => ReactNode
}

/** Apart, because nobody needs it to begin; brought as soon as the first rows are on the screen. */
const wholeList = part(async () => (await import('./whole-list.tsx')).WholeList, NotLoadedPart)

function FirstRows<T extends Findable>({ label, items, preview, rowHeight, children }: LongListProps<T>) {
  return (
    <ul className="divide-y divide-line" aria-label={label}>
      {items.slice(0, preview).map((item) => (
        <li key={item.barcode} style={{ height: inRem(rowHeight) }}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

type RowsProps<T> = LongListProps<T> & {
  /** What is scrolled through, of any length; null where the first rows are enough. */
  whole: readonly T[] | null
  /** By what it was found. */
  soughtBy: string
}

function Rows<T extends Findable>({ whole, soughtBy, ...list }: RowsProps<T>) {
  const first = <FirstRows {...list} />
  if (whole === null) return first
  const rowAt = (place: number) => {
    const item = whole[place]
    return item === undefined ? null : list.children(item)
  }
  return (
    <Suspense fallback={first}>
      <wholeList.Content
        soughtBy={soughtBy}
        label={list.label}
        count={whole.length}
        keyAt={(place) => whole[place]?.barcode ?? ''}
        rowHeight={list.rowHeight}
      >
        {rowAt}
      </wholeList.Content>
    </Suspense>
  )
}

function AllOrLess({ all, words, onAll }: { all: boolean; words: string; onAll: (all: boolean) => void }) {
  return (
    <div className="border-t border-line p-3 text-center">
      <Button look="quiet" onClick={() => onAll(!all)}>
        {all ? 'Show Less' : words}
      </Button>
    </div>
  )
}

/** Apart, too: who is asked to count all of a location needs no choice. Without it everything is listed. */
const myBinsChoice = part(
  async () => (await import('./assignments/my-bins-choice.tsx')).MyBinsChoice,
  () => null,
)

/** A list as it is wanted: in which order, and where somebody is asked to count some bins, whether these alone; and the choices of that. */
function useChoice<T extends Findable>({ items: given, isPending, isOfMonth }: LongListProps<T>) {
  const [isByBin, setByBin] = useByBin()
  const my = useMyBins()
  const canChoose = myBinsChoice.useIsHere() && isOfMonth
  const isMine = canChoose && my.isOnly
  const places = placesChosen(given, { isByBin, bins: isMine ? my.bins : null })
  const items = useMemo(() => (places === undefined ? given : itemsAt(given, places)), [given, places])
  return {
    as: `${isByBin} ${isMine}`,
    isMine,
    places,
    items,
    choices: (
      <>
        {hasBins(given) && (
          <Checkbox label="By bin" checked={isByBin} onChange={({ target }) => setByBin(target.checked)} />
        )}
        {canChoose && (
          <myBinsChoice.Content
            total={items.length}
            counted={isMine ? items.length - items.filter(isPending).length : 0}
          />
        )}
      </>
    ),
  }
}

type NothingProps = {
  /** What a search and the choices leave; null where nothing was asked for. */
  listed: readonly unknown[] | null
  /** What the search alone does. */
  found: readonly unknown[] | null
  wanted: string
  isMine: boolean
}

/** Why nothing is listed, where nothing is. */
function Nothing({ listed, found, wanted, isMine }: NothingProps) {
  if (listed?.length !== 0) return null
  return (
    <EmptyState
      title={found?.length === 0 ? countMessages.noneMatch(wanted.trim()) : countMessages.nonePending}
    >
      {isMine ? 'To list what lies elsewhere, turn off My bins.' : undefined}
    </EmptyState>
  )
}

/** What is to be counted: the first rows, all of them, those that a search finds, or of these what is left to count. */
export function LongList<T extends Findable>(props: LongListProps<T>) {
  const { items: given, preview, isPending } = props
  const isInSheet = useContext(InSheet)
  const [all, setAll] = useState(isInSheet)
  const [wanted, setWanted] = useState<Wanted>({ text: '', isBin: false })
  const [isPendingOnly, setPendingOnly] = useState(false)
  const { items, places, isMine, as, choices } = useChoice(props)
  const found = useMemo(
    () => (wanted.isBin ? inBin : search)(given, wanted.text, places),
    [given, wanted, places],
  )
  const listed = isPendingOnly ? (found ?? items).filter(isPending) : found
  useEffect(() => onceShown(() => Promise.all([wholeList.load(), myBinsChoice.load()])), [])
  return (
    <>
      <FindField
        onFind={setWanted}
        found={found?.length ?? null}
        placeholder={soughtIn(given)}
        isBin={(text) => binIn(given, text) !== undefined}
      >
        <Checkbox
          label="Only pending"
          checked={isPendingOnly}
          onChange={({ target }) => setPendingOnly(target.checked)}
        />
        {choices}
      </FindField>
      <Nothing {...{ listed, found, isMine }} wanted={wanted.text} />
      <Rows
        {...props}
        items={items}
        whole={listed ?? (all ? items : null)}
        soughtBy={`${isPendingOnly} ${as} ${wanted.isBin} ${wanted.text}`}
      />
      {listed === null && items.length > preview && !isInSheet && (
        <AllOrLess all={all} words={`Show All ${formatNumber(items.length)} ${props.noun}`} onAll={setAll} />
      )}
    </>
  )
}
