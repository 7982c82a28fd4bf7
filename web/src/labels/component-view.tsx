import { labelMessages } from '@inventory-manager/contract/labels/messages'
import type { QuantityField } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { soughtWords } from '@inventory-manager/contract/stock/sought-words'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { report } from '../session/report.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox, SelectField } from '../ui/field.tsx'
import type { KeyWords } from '../ui/keys.tsx'
import { SearchField } from '../ui/search-field.tsx'
import type { LabelSearch } from './search-for-labels.ts'

type Sort = 'barcode' | 'description' | 'quantity'

/** Which components are listed, and in which order. */
export type View = { search: string; sort: Sort; onlyWithStock: boolean; onlyNeedingLabel: boolean }

export const filterLabels = { withStock: 'Only with stock', needsLabel: 'Needs a label' }

export const firstView: View = { search: '', sort: 'barcode', onlyWithStock: false, onlyNeedingLabel: false }

const sortOptions = [
  { value: 'barcode', label: 'Barcode A-Z' },
  { value: 'description', label: 'Description A-Z' },
  { value: 'quantity', label: 'Quantity High-Low' },
]

function isSort(value: string): value is Sort {
  return value === 'barcode' || value === 'description' || value === 'quantity'
}

const collator = new Intl.Collator(undefined, { numeric: true })

type Listed = { item: Component; text: string }

/** The components in the order of a view, each with the text it is searched by: made once, not for each letter. */
function inOrder(components: readonly Component[], sort: Sort, field: QuantityField): Listed[] {
  const orders: Record<Sort, (a: Component, b: Component) => number> = {
    barcode: (a, b) => collator.compare(a.barcode, b.barcode),
    description: (a, b) => collator.compare(a.description, b.description),
    quantity: (a, b) => b[field] - a[field],
  }
  return components
    .toSorted(orders[sort])
    .map((item) => ({ item, text: `${item.barcode}\n${item.description}`.toLowerCase() }))
}

type ShownOptions = {
  view: View
  field: QuantityField
  labelled: ReadonlySet<string> | null
  /** The barcodes of what the search finds besides. */
  found: ReadonlySet<string>
}

/** What a view shows of the ordered components (specification 5, 'Print'). */
function visible(
  ordered: readonly Listed[],
  view: View,
  { field, labelled, found }: Omit<ShownOptions, 'view'>,
): Component[] {
  const words = soughtWords(view.search)
  return ordered
    .filter(({ item, text }) => words.every((word) => text.includes(word)) || found.has(item.barcode))
    .map(({ item }) => item)
    .filter((item) => !view.onlyWithStock || item[field] > 0)
    .filter((item) => !view.onlyNeedingLabel || labelled?.has(item.id) === false)
}

/** What of all that can be printed a view shows, in its order. */
export function useShown(components: readonly Component[], { view, field, labelled, found }: ShownOptions) {
  const wanted = useDeferredValue(view)
  const ordered = useMemo(() => inOrder(components, wanted.sort, field), [components, wanted.sort, field])
  return useMemo(
    () => visible(ordered, wanted, { field, labelled, found }),
    [ordered, wanted, field, labelled, found],
  )
}

/** The components that need a label. */
export function useNeeding(components: readonly Component[], labelled: ReadonlySet<string> | null) {
  return useMemo(
    () => (labelled === null ? [] : components.filter(({ id }) => !labelled.has(id))),
    [components, labelled],
  )
}

const settledMs = 1_500

/** Reports a search of 3 or more characters to the audit trail (specification 5), once it has stayed the same. */
export function useSearchReport(search: string, location: string): void {
  const term = search.trim()
  useEffect(() => {
    if (term.length < 3) return undefined
    const metadata = { event_type: 'component_search', search_term: term }
    const timer = setTimeout(() => {
      report({ sku: 'LABEL_COMPONENT_SEARCH', location, metadata }).catch(reportError)
    }, settledMs)
    return () => clearTimeout(timer)
  }, [term, location])
}

const searchKeys: KeyWords = [['Enter', 'select the component with exactly this barcode']]

type ViewBarProps = { view: View; knowsLabelled: boolean; search: LabelSearch; onView: (view: View) => void }

/** Chooses which components are listed; Enter on a whole code, as a scanner types it, selects its component. */
export function ViewBar({ view, knowsLabelled, search, onView }: ViewBarProps) {
  return (
    <Card>
      <div className="grid gap-3 sm:grid-cols-2">
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            // What is scanned next takes its place.
            event.currentTarget.querySelector('input')?.select()
            if (view.search.trim() !== '') search.enter(view.search)
          }}
        >
          <SearchField
            label="Search"
            keys={searchKeys}
            placeholder="Barcode, bin or description"
            hint={search.isPart ? labelMessages.partOfSearch : labelMessages.enterSelects}
            error={search.fault}
            value={view.search}
            onChange={(event) => {
              search.forget()
              onView({ ...view, search: event.target.value })
            }}
          />
        </form>
        <SelectField
          label="Sort by"
          options={sortOptions}
          value={view.sort}
          onChange={(event) => {
            if (isSort(event.target.value)) onView({ ...view, sort: event.target.value })
          }}
        />
        <Checkbox
          label={filterLabels.withStock}
          checked={view.onlyWithStock}
          onChange={(event) => onView({ ...view, onlyWithStock: event.target.checked })}
        />
        <Checkbox
          label={filterLabels.needsLabel}
          checked={view.onlyNeedingLabel}
          disabled={!knowsLabelled && !view.onlyNeedingLabel}
          onChange={(event) => onView({ ...view, onlyNeedingLabel: event.target.checked })}
        />
      </div>
    </Card>
  )
}
