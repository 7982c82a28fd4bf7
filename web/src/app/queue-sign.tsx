import { useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { countOutbox, watchCountOutbox } from '../counting/count-outbox.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'

function words(waiting: number, toDecide: number): string {
  const parts: string[] = []
  if (waiting > 0) parts.push(`${formatNumber(waiting)} waiting`)
  if (toDecide > 0) parts.push(`${formatNumber(toDecide)} to decide`)
  return parts.join(', ')
}

/** How many scans of whoever is signed in are on this device alone; leads to where they are shown. */
export function QueueSign() {
  const [outbox] = useState(countOutbox)
  const { jobs } = useSyncExternalStore(watchCountOutbox, outbox.getState)
  const entries = jobs.filter(({ isEntry }) => isEntry)
  const waiting = entries.filter(({ state }) => state === 'waiting').length
  if (entries.length === 0) return null
  return (
    <Link href={paths.monthlyCount} className="grid min-h-12 place-items-center lg:min-h-8">
      <Badge tone="warn">
        <span className="max-sm:sr-only">Scans:&nbsp;</span>
        {words(waiting, entries.length - waiting)}
      </Badge>
    </Link>
  )
}
