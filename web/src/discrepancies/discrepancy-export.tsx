import { exportDiscrepancies } from '@inventory-manager/contract/exports/endpoints'
import { DownloadStatus, FormatButtons, useDownload } from '../api/download.tsx'
import { filterQuery, type Filters } from './queries.ts'

/** All differences that pass the filters as a file, newest first. */
export function DiscrepancyExport({ filters }: { filters: Filters }) {
  const download = useDownload()
  return (
    <div className="mt-4 flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">Exports hold every difference that passes the filters.</p>
        <FormatButtons
          title="Discrepancies"
          verb="Export"
          download={download}
          start={(format) => {
            const query = { ...filterQuery(filters), format }
            download.start('The list', exportDiscrepancies, { query }).catch(reportError)
          }}
        />
      </div>
      <DownloadStatus download={download} />
    </div>
  )
}
