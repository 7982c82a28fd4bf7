import { z } from '@inventory-manager/contract/zod'
import type { Keys } from '../api/once.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'

const kept = z.record(z.string(), z.string())
const receipt = z.object({ barcode: z.string(), location: z.string(), amount: z.int() })

/** What came, of what and where, that was sent. */
export type Receipt = z.output<typeof receipt>

type ReceiptKeys = Keys & {
  unanswered: () => Receipt[]
  /** What is not wanted at a place any more is another delivery when it comes again. */
  forgetOthers: (location: string, wanted: readonly Receipt[]) => void
}

/**
 * The keys of what was sent and not answered, kept in the tab under a name as its list is: what was sent again under another key,
 * also after the screen was left, would be booked twice.
 */
export function createReceiptKeys(name: string): ReceiptKeys {
  const stored = kept.safeParse(parseJson(sessionStorage.getItem(name) ?? ''))
  const keys = new Map(Object.entries(stored.data ?? {}))
  const receiptIn = (input: string) => receipt.safeParse(parseJson(input)).data

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
    unanswered: () => [...keys.keys()].map(receiptIn).filter((sent) => sent !== undefined),
    forgetOthers(location, wanted) {
      const inputs = new Set(wanted.map((body) => JSON.stringify(body)))
      for (const input of keys.keys()) {
        if (receiptIn(input)?.location === location && !inputs.has(input)) keys.delete(input)
      }
      keep()
    },
  }
}
