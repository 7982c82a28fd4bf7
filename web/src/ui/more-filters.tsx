import type { ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from './badge.tsx'
import { Fold } from './fold.tsx'

type MoreFiltersProps = {
  /** How many of them are not as usual. */
  set: number
  children: ReactNode
}

/** The filters of a list beside its search. */
export function MoreFilters({ set, children }: MoreFiltersProps) {
  const label = <>Filters {set > 0 && <Badge tone="info">{formatNumber(set)} set</Badge>}</>
  return <Fold label={label}>{children}</Fold>
}
