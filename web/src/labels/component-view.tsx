import type { QuantityField } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { report } from '../session/report.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox, SelectField } from '../ui/field.tsx'
import { SearchField } from '../ui/search-field.tsx'

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

/** What a view shows of the ordered components (specification 5, 'Print'). */
function visible(
  ordered: readonly Listed[],
  view: View,
  { field, labelled }: { field: QuantityField; labelled: ReadonlySet<string> | null },
): Component[] {
  const wanted = view.search.trim().toLowerCase()
  return ordered
    .filter(({ text }) => text.includes(wanted))
    .map(({ item }) => item)
    .filter((item) => !view.onlyWithStock || item[field] > 0)
    .filter((item) => !view.onlyNeedingLabel || labelled?.has(item.id) === false)
}

type ShownOptions = { view: View; field: QuantityField; labelled: ReadonlySet<string> | null }

/** What of all that can be printed a view shows, in its order. */
export function useShown(components: readonly Component[], { view, field, labelled }: ShownOptions) {
  const wanted = useDeferredValue(view)
  const ordered = useMemo(() => inOrder(components, wanted.sort, field), [components, wanted.sort, field])
  return useMemo(() => visible(ordered, wanted, { field, labelled }), [ordered, wanted, field, labelled])
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

type ViewBarProps = { view: View; knowsLabelled: boolean; onView: (view: View) => void }

/** Chooses which components are listed. */
export function ViewBar({ view, knowsLabelled, onView }: ViewBarProps) {
  return (
    <Card>
      <div className="grid gap-3 sm:grid-cols-2">
        <SearchField
          label="Search"
          placeholder="Barcode or description"
          value={view.search}
          onChange={(event) => onView({ ...view, search: event.target.value })}
        />
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
