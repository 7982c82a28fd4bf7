import type { Endpoint, EndpointCall, EndpointReply } from '@inventory-manager/contract/endpoint'
import { z } from '@inventory-manager/contract/zod'
import { isUnreached } from '../api/api-error.ts'
import { callForList, readList } from '../api/list-client.ts'
import { ownerOf, readToken } from '../api/token.ts'
import { formatDateTime } from '../lib/dates.ts'
import { findKept, keep } from '../scanning/database.ts'
import { Banner } from '../ui/banner.tsx'

/** A list and, where it is an older one because there is no network, when it was loaded. */
export type Kept<T> = T & { keptAt: string | null }

function keyOf(name: string): [owner: string, name: string] {
  const token = readToken()
  return [(token === null ? null : ownerOf(token)) ?? '', name]
}

const keptList = z.object({ at: z.iso.datetime(), text: z.string() })

type Load<E extends Endpoint> = { name: string; input: EndpointCall<E>; signal: AbortSignal }

/** Loads a list and keeps it on this device; without a network gives what was kept. Throws as the call does. */
export async function loadKept<E extends Endpoint>(
  endpoint: E,
  { name, input, signal }: Load<E>,
): Promise<Kept<EndpointReply<E>>> {
  const key = keyOf(name)
  try {
    const { list, text } = await callForList(endpoint, input, { signal })
    // As the text it came as: the browser copies thousands of items one by one, on the page's own time.
    keep(key, { at: new Date().toISOString(), text }).catch(reportError)
    return Object.assign({ keptAt: null }, list)
  } catch (error) {
    if (!isUnreached(error)) throw error
    const kept = keptList.safeParse(await findKept(key))
    if (!kept.success) throw error
    const [list] = await Promise.allSettled([readList(endpoint, kept.data.text)])
    // Kept by a version whose lists were others: no help here.
    if (list.status === 'rejected') throw error
    return Object.assign({ keptAt: kept.data.at }, list.value)
  }
}

/** Says that a list may be out of date. */
export function KeptNotice({ keptAt }: { keptAt: string | null | undefined }) {
  if (keptAt === null || keptAt === undefined) return null
  return (
    <Banner tone="warn">
      No network. This list is from {formatDateTime(keptAt)}. Scans are kept on this device and sent later.
    </Banner>
  )
}
