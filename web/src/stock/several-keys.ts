import { z } from '@inventory-manager/contract/zod'
import type { Keys } from '../api/once.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'

const kept = z.record(z.string(), z.string())
const asked = z.object({ line: z.string() })

/**
 * The keys of lines that were sent and not answered, kept in the tab under a name as their list is: what was sent again under another
 * key, also after the screen was left, would be booked twice.
 */
export function createLineKeys(name: string): Keys & { forgetOthers: (lines: readonly string[]) => void } {
  const stored = kept.safeParse(parseJson(sessionStorage.getItem(name) ?? ''))
  const keys = new Map(Object.entries(stored.data ?? {}))

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
    forgetOthers(lines) {
      for (const input of keys.keys()) {
        const line = asked.safeParse(parseJson(input)).data?.line
        if (line === undefined || !lines.includes(line)) keys.delete(input)
      }
      keep()
    },
  }
}
