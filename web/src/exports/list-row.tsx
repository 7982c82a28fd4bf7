import type { ExportFormat } from '@inventory-manager/contract/exports/endpoints'
import { FormatButtons, type Download } from '../api/download.tsx'

type ListProps = {
  title: string
  about: string
  download: Download
  /** Null where there is nothing of what is asked for. */
  start: ((format: ExportFormat) => void) | null
}

/** A list that there is as a file. */
export function ListRow({ title, about, download, start }: ListProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{about}</p>
      </div>
      {start !== null && <FormatButtons title={title} download={download} start={start} />}
    </li>
  )
}
