import { timeZone } from '@inventory-manager/contract/accounts/rules'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import { useCompanySettings } from '../session/company-settings.ts'
import type { CountList } from './count-list.ts'
import type { Kept } from './kept-list.tsx'

/** How long a count counts for: monthly for its month, weekly for its day. */
type Period = 'month' | 'day'

const parts = {
  month: { year: 'numeric', month: '2-digit' },
  day: { year: 'numeric', month: '2-digit', day: '2-digit' },
} as const satisfies Record<Period, Intl.DateTimeFormatOptions>

const longestMs = 32 * 86_400_000

/**
 * The company's months or days. The device's own zone does until the company's is here, and where this browser does not know
 * that one.
 */
export function createCalendar(period: Period, zone: string | undefined) {
  const known = timeZone.safeParse(zone).data
  const formatter = new Intl.DateTimeFormat('en-US', { ...parts[period], timeZone: known })
  function nameAt(moment: Date | number): string {
    const found = new Map(formatter.formatToParts(moment).map(({ type, value }) => [type, value]))
    return ['year' as const, 'month' as const, 'day' as const]
      .flatMap((type) => found.get(type) ?? [])
      .join('-')
  }

  let last: { name: string; start: Date } | null = null

  /** The first millisecond of the month or day: searched for, because clocks are changed at night. */
  function startOf(name: string, moment: Date): Date {
    let within = moment.getTime()
    let before = within - longestMs
    while (within - before > 1) {
      const middle = Math.floor((within + before) / 2)
      if (nameAt(middle) === name) within = middle
      else before = middle
    }
    return new Date(within)
  }

  return {
    /** One name for all moments of a month or day: 2026-11, 2026-11-23. */
    nameAt,
    /** Undefined for the device's own. */
    zone: known,
    /** The present month or day: the same object while it lasts. */
    present: (): { name: string; start: Date } => {
      const now = new Date()
      const name = nameAt(now)
      if (last?.name !== name) last = { name, start: startOf(name, now) }
      return last
    },
  }
}

type Calendar = ReturnType<typeof createCalendar>

const lookEveryMs = 30_000

/** Looks at the clock now and then: a month or day may be over. */
export function watchClock(look: () => void): () => void {
  const timer = setInterval(look, lookEveryMs)
  // A device that slept over midnight.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** The company's calendar, and its present month or day: another as soon as that has begun. */
export function usePresent(period: Period): { calendar: Calendar; present: ReturnType<Calendar['present']> } {
  const { data: settings } = useCompanySettings()
  const zone = settings?.time_zone
  const calendar = useMemo(() => createCalendar(period, zone), [period, zone])
  return { calendar, present: useSyncExternalStore(watchClock, calendar.present) }
}

/** A list without the marks that were set before a moment. */
export function withoutMarksBefore<L extends Pick<CountList, 'components'>>(list: L, start: Date): L {
  const since = start.toISOString()
  const components = list.components.map((item) =>
    item.counted === true && (item.counted_at ?? '') < since ? { ...item, counted: false } : item,
  )
  return { ...list, components }
}

/** Whether a list that is believed has marks from before a moment: the server's month or day, by its own clock, is still the one before. */
export function hasMarksBefore({ components }: Pick<CountList, 'components'>, start: Date): boolean {
  const since = start.toISOString()
  return components.some(({ counted, counted_at: at }) => counted === true && at != null && at < since)
}

/** How often a list is asked for until the server's month or day is this device's. */
const untilSameMs = 60_000

type Loaded<L> = {
  data: Kept<L> | undefined
  refetch: (options?: { cancelRefetch?: boolean }) => Promise<unknown>
}

/**
 * A list as it stands in the present month or day: one that was loaded before has marks that count no more. By this device's
 * clock alone, which may be wrong: what was loaded in the same month or day is believed as it is, and asked for again where that clock
 * is ahead.
 */
export function usePresentList<L extends Pick<CountList, 'components'>>(
  period: Period,
  { data, refetch }: Loaded<L>,
): Kept<L> | undefined {
  const { calendar, present } = usePresent(period)
  const isPast = data !== undefined && calendar.nameAt(new Date(data.loadedAt)) !== present.name
  useEffect(() => {
    if (isPast) refetch().catch(reportError)
  }, [isPast, refetch])
  // Looked at now and then, not with each count: a list may be long. What is on its way is waited for.
  const look = useEffectEvent(() => {
    if (data === undefined || isPast || !hasMarksBefore(data, present.start)) return
    refetch({ cancelRefetch: false }).catch(reportError)
  })
  useEffect(() => {
    const timer = setInterval(() => look(), untilSameMs)
    return () => clearInterval(timer)
  }, [])
  const list = useMemo(
    () => (data !== undefined && isPast ? withoutMarksBefore(data, present.start) : data),
    [data, isPast, present],
  )
  // The first of it is drawn in pieces of a few milliseconds, between which a slow device does what else there is to do.
  const isDrawn = useDeferredValue(list !== undefined)
  return isDrawn ? list : undefined
}
