import { getTeam } from '@inventory-manager/contract/accounts/team-endpoints'
import { countSheet } from '@inventory-manager/contract/counting/sheet-endpoints'
import {
  listSpotCounts,
  listSpotSkus,
  suggestSpotCount,
  takeBackSpotCount,
  type SpotCount,
} from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { listSpotSchedules } from '@inventory-manager/contract/counting/spot/spot-schedule-endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { DownloadStatus, useDownload } from '../../api/download.tsx'
import { readAnew, readAnewAfter } from '../../api/read-anew.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatNumber, skus, someOf } from '../../lib/numbers.ts'
import { usualPaper } from '../../lib/papers.ts'
import { placeName } from '../../session/place-names.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { firstClick } from '../../ui/first-click.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Outcome } from '../../ui/outcome.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { spotCountsQuery } from './spot-counts-query.ts'
import { SpotForm } from './spot-form.tsx'
import type { Doing } from './spot-order.ts'
import { Recurring } from './spot-recurring.tsx'

type Download = ReturnType<typeof useDownload>

type RowProps = { spot: SpotCount; busy: boolean; download: Download; onDo: Doing }

function AskedRow({ spot, busy, download, onDo }: RowProps) {
  const { id, location, user_name: name, due_on: due, counted, total, overdue, first_skus: first } = spot
  const whose = `${name ?? 'whoever counts here'}, by ${formatDay(due)}`

  async function takeBack(): Promise<string> {
    await call(takeBackSpotCount, { params: { id } })
    return `The spot count (${whose}) is withdrawn. What was counted stays counted.`
  }

  function print(): void {
    const query = { location, spot_count: id, components: 'pending', paper: usualPaper() } as const
    download.start('The count sheet', countSheet, { query }).catch(reportError)
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
      <span className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3">
        <span className="max-w-full font-medium wrap-anywhere tabular-nums">
          {formatNumber(counted)} of {skus(total)}
        </span>
        <span className="text-sm wrap-anywhere text-muted tabular-nums">{whose}</span>
        {overdue && <Badge tone="warn">Overdue</Badge>}
        {total > 0 && counted >= total && <Badge tone="good">Done</Badge>}
        <span className="w-full truncate font-mono text-sm text-muted">
          {someOf(first, { most: first.length, of: total })}
        </span>
      </span>
      <span className="flex gap-2">
        {counted < total && (
          <Button
            disabled={download.busy}
            aria-label={`Count sheet of ${skus(total)}, ${whose}`}
            onClick={print}
          >
            Count sheet
          </Button>
        )}
        <Button
          disabled={busy}
          aria-label={`Withdraw ${skus(total)}, ${whose}`}
          onClick={firstClick(() => onDo(takeBack))}
        >
          Withdraw
        </Button>
      </span>
    </li>
  )
}

const shownIn = [listSpotCounts, listSpotSchedules, listSpotSkus, suggestSpotCount].map(({ path }) => path)

/** Plans spot counts of a location, and takes them back; each takes effect at once. */
export function SpotDialog({ location, onClose }: { location: string; onClose: () => void }) {
  const team = useQuery({
    queryKey: [getTeam.path],
    queryFn: ({ signal }) => call(getTeam, {}, { signal }),
  })
  const { data } = useQuery(spotCountsQuery)
  const spots = data?.spot_counts.filter((each) => each.location === location) ?? []
  const act = useMutation({
    mutationFn: (work: () => Promise<string>) => readAnewAfter(work, () => readAnew(...shownIn)),
  })
  const download = useDownload()
  const list = useListFocus<HTMLUListElement>(act.isPending ? null : spots.length)
  return (
    <Dialog title={`Spot counts of ${placeName(location)}`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {act.error !== null && <Fault text={messageOf(act.error)} />}
        {act.data !== undefined && <Outcome tone="good" text={act.data} />}
        {spots.length > 0 && (
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="Asked for already"
            className="divide-y divide-line border-b border-line"
          >
            {spots.map((spot) => (
              <AskedRow
                key={spot.id}
                spot={spot}
                busy={act.isPending}
                download={download}
                onDo={act.mutate}
              />
            ))}
          </ul>
        )}
        <DownloadStatus download={download} />
        <Recurring location={location} busy={act.isPending} onDo={act.mutate} />
        {team.error !== null && <LoadFailure text={messageOf(team.error)} onRetry={team.refetch} />}
        {team.isPending && <Loading label="Loading the team..." />}
        {team.data !== undefined && (
          <SpotForm
            location={location}
            people={team.data.users.filter(({ active }) => active)}
            busy={act.isPending}
            onDo={act.mutate}
          />
        )}
      </div>
    </Dialog>
  )
}
