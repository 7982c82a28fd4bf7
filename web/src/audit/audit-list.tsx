import type { AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { auditKinds } from '@inventory-manager/contract/audit/rules'
import { Link } from 'wouter'
import { formatDateTime } from '../lib/dates.ts'
import { componentPath } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { Who } from '../ui/who.tsx'
import { detailsOf, namesComponent } from './entry-details.ts'
import { kindIcons } from './kind-icons.ts'

/** As much as is read at a glance. */
const shownLength = 200

/** What happened; of what is long the beginning, and the whole once it is opened. */
function Details({ entry }: { entry: AuditEntry }) {
  const { user } = useLocatedSession()
  const text = detailsOf(entry, user.role === 'admin')
  const look = 'min-w-0 wrap-anywhere max-sm:text-right'
  if (text.length <= shownLength) return <span className={look}>{text}</span>
  return (
    <details className={`${look} group`}>
      <summary className="min-h-12 cursor-pointer content-center lg:min-h-9">
        <span className="group-open:hidden">
          {Array.from(text).slice(0, shownLength).join('').trimEnd()}…
        </span>
        <span className="hidden group-open:inline">Show Less</span>
      </summary>
      <p>{text}</p>
    </details>
  )
}

function Action({ kind }: Pick<AuditEntry, 'kind'>) {
  const Icon = kindIcons[kind]
  return (
    <span className="inline-flex items-start gap-2 font-medium">
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      {auditKinds[kind].label}
    </span>
  )
}

const userTypeLabels: Record<string, string> = { admin: 'Admin', api_key: 'API key', system: 'System' }

/** Who did it, whatever they are called: names change, and two may have the same. */
function Account({ entry }: { entry: AuditEntry }) {
  const { user_account: account = null, user_name: name } = entry
  if (account === null || account === name) return null
  return <span className="text-sm wrap-anywhere text-muted max-sm:text-right">{account}</span>
}

const columns: readonly Column<AuditEntry>[] = [
  {
    head: 'Date/Time',
    cell: (entry) => (
      <time dateTime={entry.timestamp} className="tabular-nums lg:whitespace-nowrap">
        {formatDateTime(entry.timestamp)}
      </time>
    ),
  },
  { head: 'Action', cell: (entry) => <Action kind={entry.kind} /> },
  {
    head: 'SKU',
    cell: (entry) => (
      <span className="font-mono wrap-anywhere lg:block lg:min-w-48">
        {namesComponent(entry) ? (
          <Link href={componentPath(entry.sku)} className="text-accent-text underline">
            {entry.sku}
          </Link>
        ) : (
          entry.sku
        )}
      </span>
    ),
  },
  { head: 'Details', cell: (entry) => <Details entry={entry} /> },
  {
    head: 'User',
    cell: (entry) => (
      <span className="flex min-w-0 flex-col max-sm:items-end lg:min-w-44">
        <span className="flex flex-wrap items-center gap-2">
          <Who name={entry.user_name} />
          <Badge>{userTypeLabels[entry.user_type] ?? 'User'}</Badge>
        </span>
        <Account entry={entry} />
      </span>
    ),
  },
  { head: 'Source', cell: (entry) => entry.source },
]

/** A page of the trail. */
export function AuditList({ entries }: { entries: AuditEntry[] }) {
  return (
    <DataTable
      label="Audit entries"
      columns={columns}
      rows={entries}
      keyOf={(entry) => entry.id}
      cards="tablet"
    />
  )
}
