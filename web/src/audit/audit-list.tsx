import type { AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { auditKinds } from '@inventory-manager/contract/audit/rules'
import { findLocation } from '@inventory-manager/contract/locations'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'

/** What happened, in words: the event, the quantity and where. */
function details(entry: AuditEntry): string {
  const { event_type: event } = entry.metadata
  const words = typeof event === 'string' ? event.replaceAll('_', ' ') : ''
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  const parts = [
    sentence,
    entry.quantity === null ? '' : `quantity ${formatNumber(entry.quantity)}`,
    entry.location === null ? '' : (findLocation(entry.location)?.name ?? entry.location),
    entry.origin === 'client' ? 'reported by the device' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const userTypeLabels: Record<string, string> = { admin: 'Admin', api_key: 'API key', system: 'System' }

const columns: readonly Column<AuditEntry>[] = [
  {
    head: 'Date/Time',
    cell: (entry) => (
      <time dateTime={entry.timestamp} className="tabular-nums sm:whitespace-nowrap">
        {formatDateTime(entry.timestamp)}
      </time>
    ),
  },
  { head: 'Action', cell: (entry) => <span className="font-medium">{auditKinds[entry.kind].label}</span> },
  { head: 'SKU', cell: (entry) => <span className="font-mono break-all">{entry.sku}</span> },
  { head: 'Details', cell: (entry) => <span className="max-sm:text-right">{details(entry)}</span> },
  {
    head: 'User',
    cell: (entry) => (
      <span className="flex flex-wrap items-center gap-2">
        {entry.user_name}
        <Badge>{userTypeLabels[entry.user_type] ?? 'User'}</Badge>
      </span>
    ),
  },
  { head: 'Source', cell: (entry) => entry.source },
]

/** A page of the trail. */
export function AuditList({ entries }: { entries: AuditEntry[] }) {
  return <DataTable label="Audit entries" columns={columns} rows={entries} keyOf={(entry) => entry.id} />
}
