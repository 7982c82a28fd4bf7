import { generateLabels } from '@inventory-manager/contract/labels/endpoints'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { defaultLabelSize, labelSizes, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import { getLocation, type QuantityField } from '@inventory-manager/contract/locations'
import { listComponents, type Component } from '@inventory-manager/contract/stock/endpoints'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call, callForFile } from '../api/client.ts'
import { downloadFile } from '../lib/files.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, SelectField, TextField } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ComponentPicker } from './component-picker.tsx'

type Sort = 'barcode' | 'description' | 'quantity'
type View = { search: string; sort: Sort; onlyWithStock: boolean }

const sortOptions = [
  { value: 'barcode', label: 'Barcode A-Z' },
  { value: 'description', label: 'Description A-Z' },
  { value: 'quantity', label: 'Quantity High-Low' },
]

function isSort(value: string): value is Sort {
  return value === 'barcode' || value === 'description' || value === 'quantity'
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** The components a view shows, in its order (specification 5, 'Print labels'). */
function visible(components: Component[], view: View, field: QuantityField): Component[] {
  const wanted = view.search.trim().toLowerCase()
  const orders: Record<Sort, (a: Component, b: Component) => number> = {
    barcode: (a, b) => collator.compare(a.barcode, b.barcode),
    description: (a, b) => collator.compare(a.description, b.description),
    quantity: (a, b) => b[field] - a[field],
  }
  return components
    .filter((item) => !view.onlyWithStock || item[field] > 0)
    .filter((item) => `${item.barcode}\n${item.description}`.toLowerCase().includes(wanted))
    .toSorted(orders[view.sort])
}

type ViewBarProps = {
  view: View
  onView: (view: View) => void
  size: LabelSizeKey
  onSize: (size: LabelSizeKey) => void
}

/** Which components are listed and how large their labels become. */
function ViewBar({ view, onView, size, onSize }: ViewBarProps) {
  return (
    <Card>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_auto] lg:items-end">
        <TextField
          label="Search"
          type="search"
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
        <SelectField
          label="Label size"
          options={Object.values(labelSizes).map(({ key, width, height, name }) => ({
            value: key,
            label: `${width} x ${height} in, ${name}`,
          }))}
          value={size}
          onChange={(event) => {
            const chosen = Object.values(labelSizes).find(({ key }) => key === event.target.value)
            if (chosen !== undefined) onSize(chosen.key)
          }}
        />
        <Checkbox
          label="Only with stock"
          checked={view.onlyWithStock}
          onChange={(event) => onView({ ...view, onlyWithStock: event.target.checked })}
        />
      </div>
    </Card>
  )
}

const clearAfter = { loaded: 3_000, printed: 5_000 }

export function PrintLabelsScreen() {
  const { location } = useLocatedSession()
  const place = getLocation(location)
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['components'],
    queryFn: ({ signal }) => call(listComponents, { query: {} }, { signal }),
  })
  const [view, setView] = useState<View>({ search: '', sort: 'barcode', onlyWithStock: false })
  const [size, setSize] = useState<LabelSizeKey>(defaultLabelSize)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [status, setStatus] = useState<{ tone: Tone; text: string; clearAfter?: number } | null>(null)
  const [busy, setBusy] = useState(false)
  const job = useRef({ input: '', key: '' })

  const components = useMemo(() => data?.components ?? [], [data])
  const shown = useMemo(() => visible(components, view, place.quantityField), [components, view, place])

  useEffect(() => {
    if (status?.clearAfter === undefined) return undefined
    const timer = setTimeout(() => setStatus(null), status.clearAfter)
    return () => clearTimeout(timer)
  }, [status])

  function toggle(barcode: string): void {
    const next = new Set(selected)
    if (!next.delete(barcode)) next.add(barcode)
    setSelected(next)
  }

  async function print(): Promise<void> {
    const chosen = components.filter((item) => selected.has(item.barcode))
    if (chosen.length === 0) {
      setStatus({ tone: 'bad', text: labelMessages.selectOne })
      return
    }
    const { width, height } = labelSizes[size]
    const body = {
      components: chosen.map(({ id, barcode, description, ...item }) => ({
        id,
        barcode,
        description,
        quantity: item[place.quantityField],
      })),
      includeId: false,
      labelSize: { width, height },
      location,
      selected: true,
    }
    const input = JSON.stringify(body)
    if (job.current.input !== input) job.current = { input, key: newId() }
    setBusy(true)
    setStatus({ tone: 'info', text: `Generating ${formatNumber(chosen.length)} labels...` })
    try {
      downloadFile(await callForFile(generateLabels, { body }, { idempotencyKey: job.current.key }))
      job.current = { input: '', key: '' }
      setSelected(new Set())
      setStatus({
        tone: 'good',
        text: labelMessages.generated(chosen.length),
        clearAfter: clearAfter.printed,
      })
    } catch (failure) {
      setStatus({ tone: 'bad', text: labelMessages.generateError(messageOf(failure)) })
    } finally {
      setBusy(false)
    }
  }

  if (data === undefined && error === null) return <Loading label="Loading components..." />

  const labels = selected.size === 1 ? 'Label' : 'Labels'
  return (
    <Page
      title="Print Component Labels"
      subtitle={`${place.name}, ${formatNumber(components.length)} components. Quantities are those of this location.`}
      actions={
        <Button look="primary" disabled={busy || selected.size === 0} onClick={() => void print()}>
          {busy ? 'Generating...' : `Print ${formatNumber(selected.size)} ${labels}`}
        </Button>
      }
    >
      {error !== null && <Banner tone="bad">{labelMessages.loadError(messageOf(error))}</Banner>}
      {status !== null && <Banner tone={status.tone}>{status.text}</Banner>}
      {status === null && <LoadedNotice key={dataUpdatedAt} count={components.length} />}
      <ViewBar view={view} onView={setView} size={size} onSize={setSize} />
      <Card
        title={`${formatNumber(selected.size)} selected`}
        aside={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setSelected(new Set([...selected, ...shown.map((item) => item.barcode)]))}>
              Select All ({formatNumber(shown.length)})
            </Button>
            <Button onClick={() => setSelected(new Set())}>Clear Selection</Button>
            <Button onClick={() => void refetch()} disabled={isFetching}>
              <RefreshCw aria-hidden className="size-4" />
              Refresh
            </Button>
          </div>
        }
        flush
      >
        <ComponentPicker
          components={shown}
          field={place.quantityField}
          selected={selected}
          onToggle={toggle}
          emptyText={view.search.trim() === '' ? labelMessages.none : labelMessages.noMatch(view.search)}
        />
      </Card>
      <p className="text-sm text-muted">
        Tip: on 4x6 in stock, 3-4 labels fit on a page. Print at actual size: a printer that scales the page
        makes bars that scanners cannot read.
      </p>
    </Page>
  )
}

/** Says for a moment that the list is there. */
function LoadedNotice({ count }: { count: number }) {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), clearAfter.loaded)
    return () => clearTimeout(timer)
  }, [])
  return shown ? <Banner tone="good">{labelMessages.loaded(count)}</Banner> : null
}
