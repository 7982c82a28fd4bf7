import { z } from '@inventory-manager/contract/zod'
import type { Keys } from '../api/once.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'

const kept = z.record(z.string(), z.string())
const adjustment = z.object({ barcode: z.string(), location: z.string(), amount: z.int() })
const departure = z.object({ barcode: z.string(), from: z.string(), to: z.string(), quantity: z.int() })
const booking = z.union([adjustment, departure])

/** What came, went out or left for another place, of what and where, as it is asked for. */
export type Booking = z.output<typeof booking>

/** Where what is issued goes: out of the house. */
export const issued = 'issued'

/** Where something comes or goes: bookings of one list have it in common. */
export type Where = { location: string; to: string | null }

type BookingKeys = Keys & {
  unanswered: () => Booking[]
  /** What is not wanted there any more is another delivery when it comes again. */
  forgetOthers: (where: Where, wanted: readonly Booking[]) => void
}

function isThere(one: Booking | undefined, { location, to }: Where): boolean {
  if (one === undefined) return false
  if ('to' in one) return one.from === location && one.to === to
  return one.location === location && to === (one.amount < 0 ? issued : null)
}

/**
 * The keys of what was asked for and not answered, kept in the tab under a name as its list is: what was sent again under another key,
 * also after the screen was left, would be booked twice.
 */
export function createBookingKeys(name: string): BookingKeys {
  const stored = kept.safeParse(parseJson(sessionStorage.getItem(name) ?? ''))
  const keys = new Map(Object.entries(stored.data ?? {}))
  const bookingIn = (input: string) => booking.safeParse(parseJson(input)).data

  function keep(): void {
    if (keys.size === 0) sessionStorage.removeItem(name)
    else keepInTab(name, JSON.stringify(Object.fromEntries(keys)))
  }

  return {
    get: (input) => keys.get(input),
    set(input, key) {
      keys.set(input, key)
      keep()
      return keys
    },
    delete(input) {
      const wasThere = keys.delete(input)
      keep()
      return wasThere
    },
    unanswered: () => [...keys.keys()].map(bookingIn).filter((asked) => asked !== undefined),
    forgetOthers(where, wanted) {
      const inputs = new Set(wanted.map((body) => JSON.stringify(body)))
      for (const input of keys.keys()) {
        if (isThere(bookingIn(input), where) && !inputs.has(input)) keys.delete(input)
      }
      keep()
    },
  }
}
