import type { AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { auditKinds } from '@inventory-manager/contract/audit/rules'
import { findLocation } from '@inventory-manager/contract/locations'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'

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

function UserBadge({ entry }: { entry: AuditEntry }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {entry.user_name}
      <Badge>{entry.user_type === 'admin' ? 'Admin' : 'User'}</Badge>
    </span>
  )
}

function Row({ entry }: { entry: AuditEntry }) {
  return (
    <tr className="border-t border-line align-top">
      <td className="px-4 py-3 whitespace-nowrap tabular-nums">
        <time dateTime={entry.timestamp}>{formatDateTime(entry.timestamp)}</time>
      </td>
      <td className="px-4 py-3 whitespace-nowrap">{auditKinds[entry.kind].label}</td>
      <td className="px-4 py-3 font-mono break-all">{entry.sku}</td>
      <td className="px-4 py-3">{details(entry)}</td>
      <td className="px-4 py-3">
        <UserBadge entry={entry} />
      </td>
      <td className="px-4 py-3">{entry.source}</td>
    </tr>
  )
}

function EntryCard({ entry }: { entry: AuditEntry }) {
  return (
    <li className="flex flex-col gap-1 border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{auditKinds[entry.kind].label}</span>
        <time dateTime={entry.timestamp} className="text-sm text-muted tabular-nums">
          {formatDateTime(entry.timestamp)}
        </time>
      </div>
      <span className="font-mono text-sm break-all">{entry.sku}</span>
      <span className="text-sm">{details(entry)}</span>
      <span className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <UserBadge entry={entry} />
        {entry.source}
      </span>
    </li>
  )
}

const columns = ['Date/Time', 'Action', 'SKU', 'Details', 'User', 'Source']

/** A page of the trail: a table at a desk, cards on a handheld. */
export function AuditList({ entries }: { entries: AuditEntry[] }) {
  return (
    <>
      <ul className="md:hidden">
        {entries.map((entry) => (
          <EntryCard key={entry.id} entry={entry} />
        ))}
      </ul>
      <div className="hidden overflow-x-auto md:block">
        <table className="w-full text-left text-sm">
          <thead className="text-muted">
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
