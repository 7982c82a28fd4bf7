import type { z } from '@inventory-manager/contract/zod'
import { ApiError } from '../api/api-error.ts'
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

function readKept<T>(value: unknown, schema: z.ZodType<T>): { at: string; list: T } | null {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('list' in value)) return null
  const read = schema.safeParse(value.list)
  return read.success && typeof value.at === 'string' ? { at: value.at, list: read.data } : null
}

type ListOptions<T> = { name: string; schema: z.ZodType<T>; load: () => Promise<T> }

/** Loads a list and keeps it on this device; without a network gives what was kept. Throws as the call does. */
export async function loadKept<T extends object>({ name, schema, load }: ListOptions<T>): Promise<Kept<T>> {
  const key = keyOf(name)
  try {
    const list = await load()
    keep(key, { at: new Date().toISOString(), list }).catch(reportError)
    return { ...list, keptAt: null }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.kind !== 'network' && error.kind !== 'timeout')) throw error
    const kept = readKept(await findKept(key), schema)
    if (kept === null) throw error
    return { ...kept.list, keptAt: kept.at }
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
