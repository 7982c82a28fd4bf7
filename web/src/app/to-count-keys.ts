import type { CompanyEvent } from '@inventory-manager/contract/events/endpoints'
import { findLocation } from '@inventory-manager/contract/locations'

const toCount = ['/api/components/to-count', '/api/components/high-volume-for-day'] as const

type ToCountKey = [(typeof toCount)[number], ...string[]]

/** The lists of what is to be counted that news are of: those of a location, or all where they say none that is counted. */
export function toCountKeys(events: readonly Pick<CompanyEvent, 'location'>[]): ToCountKey[] {
  const codes = new Set(events.map(({ location }) => findLocation(location ?? '')?.code ?? null))
  if (codes.has(null)) return toCount.map((path) => [path])
  return [...codes].flatMap((code) =>
    toCount.map((path): ToCountKey => [path, ...(code === null ? [] : [code])]),
  )
}
