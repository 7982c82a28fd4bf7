import { componentHistory } from '@inventory-manager/contract/counting/history-endpoints'
import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { type LocationCode } from '@inventory-manager/contract/locations'
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { countThis } from './count-this.ts'
import { entrySource } from './entry-source.ts'

type HistoryDialogProps = { barcode: string; location: LocationCode; onClose: () => void }

/** Closes the history; while a count runs, the component can be counted from here without a scan. */
function Ways({ barcode, onClose }: Omit<HistoryDialogProps, 'location'>) {
  const count = useSyncExternalStore(countThis.subscribe, countThis.get)
  return (
    <>
      <Button look={count === null ? 'primary' : 'secondary'} onClick={onClose}>
        Close
      </Button>
      {count !== null && (
        <Button
          look="primary"
          onClick={() => {
            count(barcode)
            onClose()
          }}
        >
          Count this
        </Button>
      )}
    </>
  )
}

/** When and where a component was counted, newest first. */
export function HistoryDialog({ barcode, location, onClose }: HistoryDialogProps) {
  const [cleared, setCleared] = useState(false)
  const { data, error } = useQuery({
    queryKey: [componentHistory.path, barcode, location],
    queryFn: ({ signal }) => call(componentHistory, { body: { barcode, location } }, { signal }),
  })
  return (
    <Dialog
      title={`Count history of ${barcode}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => setCleared(true)}>Clear History</Button>
          <Ways barcode={barcode} onClose={onClose} />
        </>
      }
    >
      {cleared && <Banner tone="info">{entryMessages.clearHistory}</Banner>}
      {error !== null && <Banner tone="bad">{entryMessages.history(barcode, messageOf(error))}</Banner>}
      {data === undefined && error === null && <LoadingRows label="Loading history..." rows={3} />}
      {data?.history.length === 0 && <EmptyState title="Not yet counted" />}
      <ul className="divide-y divide-line">
        {data?.history.map((entry) => (
          <li
            key={entry.id}
            className="flex flex-wrap justify-between gap-x-4 py-2 sm:grid sm:grid-cols-[14rem_1fr_auto]"
          >
            <time dateTime={entry.timestamp} className="tabular-nums">
              {formatDateTime(entry.timestamp)}
            </time>
            <span className="wrap-anywhere">{placeName(entry.location)}</span>
            <span className="text-muted">
              {entrySource(entry)}, {entry.user_name}
            </span>
            {entry.note != null && (
              <span className="w-full wrap-anywhere sm:col-span-full">{entry.note}</span>
            )}
          </li>
        ))}
      </ul>
      {data !== undefined && data.next_cursor !== null && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3 text-muted">
          The newest {formatNumber(data.history.length)}.
          <Link href={componentPath(barcode)} className={buttonClasses('secondary')}>
            All of its counts
          </Link>
        </p>
      )}
    </Dialog>
  )
}
