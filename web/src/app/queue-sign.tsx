import { Link } from 'wouter'
import { useOutboxState } from '../counting/count-entries.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'

/** How many scans of whoever is signed in are on this device alone, or still to be taken back; leads to where they are shown. */
export function QueueSign() {
  const { jobs, refused, takingBack } = useOutboxState()
  const parts = [
    {
      scans: jobs.filter(({ value, state }) => value.kind === 'entry' && state === 'waiting').length,
      standing: 'waiting',
    },
    { scans: refused.length, standing: 'to decide' },
    { scans: takingBack.size, standing: 'being taken back' },
  ].filter(({ scans }) => scans > 0)
  if (parts.length === 0) return null
  return (
    <Link href={paths.monthlyCount} className="grid min-h-12 place-items-center lg:min-h-8">
      <Badge tone="warn">
        <span className="max-sm:sr-only">Scans:&nbsp;</span>
        {parts.map(({ scans, standing }) => `${formatNumber(scans)} ${standing}`).join(', ')}
      </Badge>
    </Link>
  )
}
