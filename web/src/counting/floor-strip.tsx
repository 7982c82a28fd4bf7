import { listRecounts, type RecountTask } from '@inventory-manager/contract/discrepancies/recount-endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQuery } from '@tanstack/react-query'
import Users from 'lucide-react/icons/users'
import { asTimePassesMs } from '../api/as-time-passes.ts'
import { call } from '../api/client.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useIsLive } from '../session/news.ts'
import { useLocatedSession } from '../session/session.ts'
import { useOthersHere } from './others-here.ts'

const othersShown = 3

/** Who else counts here, and what they scanned last. */
function Others() {
  const isLive = useIsLive()
  const others = useOthersHere()
  if (others.length === 0) {
    return <span>{isLive ? 'Nobody else is counting here now.' : 'Connecting to the others...'}</span>
  }
  return (
    <ul aria-label="Others counting here" className="flex min-w-0 gap-x-6">
      {others.slice(0, othersShown).map((scan, index) => (
        <li key={scan.userId} className={index === 0 ? 'min-w-0 truncate' : 'min-w-0 truncate max-lg:hidden'}>
          <bdi className="font-medium text-text">{scan.userName}</bdi>{' '}
          <span className="font-mono text-text">{scan.sku}</span>{' '}
          <time dateTime={scan.at}>{formatMoment(scan.at)}</time>
        </li>
      ))}
      {others.length > 1 && (
        <li className="shrink-0 lg:hidden">and {formatNumber(others.length - 1)} more</li>
      )}
      {others.length > othersShown && (
        <li className="shrink-0 max-lg:hidden">and {formatNumber(others.length - othersShown)} more</li>
      )}
    </ul>
  )
}

/** In which count it is done: one of another kind leaves it waiting. */
const countWords: Record<RecountTask['count_type'], string> = {
  monthly: 'in the monthly count',
  weekly: 'in the weekly count',
  admin: 'in the admin view',
}

function Task({ task }: { task: RecountTask }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2">
      <span className="min-w-0">
        <span className="font-mono font-medium wrap-anywhere">{task.sku}</span>{' '}
        <span className="text-muted">{task.description}</span>
      </span>
      <span className="text-sm text-muted">
        {task.asked_by}, {formatMoment(task.asked_at)} {countWords[task.count_type]}
      </span>
    </li>
  )
}

/** What is to be counted again here, by somebody else than last time; nothing while there is none. */
function RecountTasks() {
  const { location } = useLocatedSession()
  const { data } = useQuery({
    queryKey: [listRecounts.path, location],
    queryFn: ({ signal }) => call(listRecounts, { query: { location } }, { signal }),
    // No news tell staff that a recount is called off, nor anybody that it has waited long enough for who counted last.
    refetchInterval: asTimePassesMs,
  })
  if (data === undefined || data.total === 0) return null
  const { recounts, total } = data
  return (
    <details className="rounded-card border border-info/40 bg-info-soft text-info-text">
      <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium lg:min-h-9">
        Recount requested: {howMany(total, 'SKU')}
      </summary>
      <ul aria-label="Recounts" className="divide-y divide-line border-t border-line bg-surface text-text">
        {recounts.map((task) => (
          <Task key={task.id} task={task} />
        ))}
        {total > recounts.length && (
          <li className="px-4 py-2">and {formatNumber(total - recounts.length)} more</li>
        )}
      </ul>
    </details>
  )
}

/** What happens on the floor, over a count screen: who else counts here, and what is to be counted again. */
export function FloorStrip() {
  return (
    <aside
      aria-label="On the floor"
      className="mx-auto flex w-full max-w-7xl flex-col gap-2 px-4 pt-2 lg:px-6 lg:pt-3"
    >
      <p className="sr-only">What others do here, as it happens</p>
      <div className="flex min-h-6 items-center gap-2 overflow-hidden text-sm text-muted">
        <Users aria-hidden className="size-4 shrink-0" />
        <Others />
      </div>
      <RecountTasks />
    </aside>
  )
}
