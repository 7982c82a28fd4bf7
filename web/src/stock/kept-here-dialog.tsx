import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import { countKept, keepComponents } from '@inventory-manager/contract/stock/kept-endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { refreshStock } from './queries.ts'

type PartProps = { words: string; label: string; busy: boolean; onDo: () => void }

/** What could be done, and the button for it. */
function Part({ words, label, busy, onDo }: PartProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4">
      <p className="max-w-prose basis-64 grow">{words}</p>
      <Button disabled={busy} onClick={onDo}>
        {label}
      </Button>
    </div>
  )
}

const nothingHere =
  'have nothing here: neither stock nor any on its way, a difference, a bin, a minimum or a weekly list.'

function emptyWords({ kept, empty }: EndpointReply<typeof countKept>): string {
  if (empty === kept) return `All of them ${nothingHere}`
  return empty === 1
    ? `1 of them ${nothingHere.replace('have', 'has')}`
    : `${formatNumber(empty)} of them ${nothingHere}`
}

type FiguresProps = {
  place: string
  figures: EndpointReply<typeof countKept>
  busy: boolean
  onKeep: (kept: boolean) => void
}

/** How much a location keeps, and what can be done about it. */
function Figures({ place, figures, busy, onKeep }: FiguresProps) {
  const { kept, not_kept: notKept, empty } = figures
  const besides = notKept === 0 ? '' : `, and leaves ${howMany(notKept, 'component')} out`
  return (
    <>
      <p>
        {place} counts {howMany(kept, 'component')} each month{besides}. What comes there as stock, or is
        counted there, it keeps from then on. Single ones are left out on their own pages, and by Change
        several.
      </p>
      {empty > 0 && (
        <Part
          words={emptyWords(figures)}
          label={empty === 1 ? 'Leave it out' : `Leave ${formatNumber(empty)} out`}
          busy={busy}
          onDo={() => onKeep(false)}
        />
      )}
      {notKept > 0 && (
        <Part
          words="What is left out can be kept, and counted, again."
          label={notKept === 1 ? 'Keep it again' : `Keep ${formatNumber(notKept)} again`}
          busy={busy}
          onDo={() => onKeep(true)}
        />
      )}
    </>
  )
}

/** What a location keeps, for all components at once: what it has nothing of can be left out of its counts. */
export function KeptHereDialog({ location, onClose }: { location: LocationCode; onClose: () => void }) {
  const place = placeName(location)
  const { data, error, refetch } = useQuery({
    queryKey: [countKept.path, location],
    queryFn: ({ signal }) => call(countKept, { query: { location } }, { signal }),
  })

  async function keep(kept: boolean): Promise<string> {
    const { changed } = await call(keepComponents, { body: { location, kept } })
    return `${howMany(changed, 'component')} ${kept ? 'kept' : 'left out'} at ${place}.`
  }

  const act = useMutation({
    mutationFn: (kept: boolean) =>
      readAnewAfter(
        async () => await keep(kept),
        async () => {
          refreshStock().catch(reportError)
          await readAnew(countKept.path)
        },
      ),
  })
  return (
    <Dialog title={`What is kept at ${place}`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {act.error !== null && <Fault text={messageOf(act.error)} />}
        {act.data !== undefined && <Outcome tone="good" text={act.data} />}
        {data === undefined && error !== null && <LoadFailure text={messageOf(error)} onRetry={refetch} />}
        {data === undefined && error === null && <Loading label="Counting..." />}
        {data !== undefined && (
          <Figures place={place} figures={data} busy={act.isPending} onKeep={act.mutate} />
        )}
      </div>
    </Dialog>
  )
}
