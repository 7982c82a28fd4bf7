import { exportAudit } from '@inventory-manager/contract/exports/endpoints'
import { DownloadStatus, FormatButtons, useDownload } from '../api/download.tsx'
import { useCompanyZone } from '../session/company-settings.ts'
import { useLocatedSession } from '../session/session.ts'
import { isBackwards } from '../ui/date-fields.tsx'
import { serverQuery, type Filters } from './audit-filters.tsx'

/** All entries of the trail that pass the filters as a file, for administrators. */
export function AuditExport({ filters }: { filters: Filters }) {
  const { user } = useLocatedSession()
  const download = useDownload()
  const zone = useCompanyZone()
  if (user.role !== 'admin' || isBackwards(filters.start, filters.end)) return null
  return (
    <div className="mt-4 flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">Exports hold every entry that passes the filters.</p>
        <FormatButtons
          title="Audit trail"
          verb="Export"
          download={download}
          start={(format) => {
            const query = { ...serverQuery(filters, zone), format }
            download.start('The audit trail', exportAudit, { query }).catch(reportError)
          }}
        />
      </div>
      <DownloadStatus download={download} />
    </div>
  )
}
