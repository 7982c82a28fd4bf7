import type { Endpoint, EndpointCall, EndpointReply } from '@inventory-manager/contract/endpoint'
import { z } from '@inventory-manager/contract/zod'
import {
  useQuery,
  type QueryFunctionContext,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, isPassing } from '../api/api-error.ts'
import { callForList, readList } from '../api/list-client.ts'
import { readOwner } from '../api/token.ts'
import { formatDateTime } from '../lib/dates.ts'
import { eitherOf } from '../lib/signals.ts'
import { findKept, keep } from '../outbox/database.ts'
import { Banner } from '../ui/banner.tsx'

/**
 * A list, when it was asked for, and, where it is an older one because the server cannot be reached, up to when it is known to have
 * been right.
 */
export type Kept<T> = T & { loadedAt: string; keptAt: string | null }

const keptText = z.object({ at: z.iso.datetime(), text: z.string() })

/** Whose list is kept, and under which name. */
type Key = [owner: string, name: string]

type Load<E extends Endpoint> = { name: string; input: EndpointCall<E> }

/** What of a query is shown already, as one that could not be loaded again. */
function keepShown<T>({ client, queryKey }: QueryFunctionContext): Kept<T> | undefined {
  const shown = client.getQueryState<Kept<T>>(queryKey)
  if (shown?.data === undefined || shown.data.keptAt !== null) return shown?.data
  return { ...shown.data, keptAt: new Date(shown.dataUpdatedAt).toISOString() }
}

/** What is kept of a list; null where that is nothing, or of a version whose lists were others. */
async function readKept<E extends Endpoint>(endpoint: E, key: Key): Promise<Kept<EndpointReply<E>> | null> {
  const kept = keptText.safeParse(await findKept(key))
  if (!kept.success) return null
  const { at, text } = kept.data
  const [list] = await Promise.allSettled([readList(endpoint, text)])
  return list.status === 'rejected' ? null : Object.assign({ loadedAt: at, keptAt: at }, list.value)
}

/** How long who sees no list yet waits to hear of the server, where one is kept: in places without a network nothing fails. */
const keptAfterMs = 4_000

/** Has a call of which nothing is heard given up, where nothing is shown yet and what is kept can take its place. */
function giveUpFor<E extends Endpoint>(endpoint: E, key: Key, context: QueryFunctionContext) {
  const waiting = new AbortController()
  const isShown = keepShown(context) !== undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  async function look(): Promise<void> {
    const since = timer
    const kept = await readKept(endpoint, key)
    if (kept === null || timer !== since) return
    waiting.abort(new DOMException('What is kept is shown meanwhile.', 'TimeoutError'))
  }
  function end(): void {
    clearTimeout(timer)
    timer = undefined
  }
  function heard(): void {
    end()
    if (!isShown) timer = setTimeout(() => void look().catch(reportError), keptAfterMs)
  }
  heard()
  return { signal: eitherOf(context.signal, waiting.signal), heard, end }
}

/**
 * Loads a list and keeps it on this device; while the server cannot answer gives what is shown, which knows of the counts since, or
 * else what was kept. Throws as the call does.
 */
async function loadKept<E extends Endpoint>(
  endpoint: E,
  { name, input }: Load<E>,
  context: QueryFunctionContext,
): Promise<Kept<EndpointReply<E>>> {
  const key: Key = [readOwner(), name]
  const loadedAt = new Date().toISOString()
  const { signal, heard, end } = giveUpFor(endpoint, key, context)
  try {
    const { list, text } = await callForList(endpoint, input, { signal, onHeard: heard })
    // As the text it came as: the browser copies thousands of items one by one, on the page's own time.
    // Who has logged out meanwhile leaves nothing on this device.
    if (readOwner() === key[0]) keep(key, { at: loadedAt, text }).catch(reportError)
    return Object.assign({ loadedAt, keptAt: null }, list)
  } catch (error) {
    if (!isPassing(error) || (error instanceof ApiError && error.status === 401)) throw error
    const older = keepShown<EndpointReply<E>>(context) ?? (await readKept(endpoint, key))
    if (older === null) throw error
    return older
  } finally {
    end()
  }
}

const askAgainMs = 5_000

type Standing = { state: { data?: { keptAt: string | null } | undefined; error: Error | null } }

/**
 * How the query of a list that is kept loads: it asks again by itself while it shows an older list, and after a failure that
 * passes.
 */
export function keptListQuery<E extends Endpoint>(endpoint: E, load: Load<E>) {
  return {
    queryFn: (context: QueryFunctionContext) => loadKept(endpoint, load, context),
    refetchInterval: ({ state: { data, error } }: Standing) =>
      isPassing(error) || (data !== undefined && data.keptAt !== null) ? askAgainMs : false,
  }
}

type Said = { failure: Error | null; loadedAt: string | undefined }

/**
 * A kept list as a screen shows it. Why there is none, or no newer one, stays said until one is loaded: each scan changes the
 * list that is shown, which takes it for right again.
 */
export function useKeptList<T extends { loadedAt: string }, K extends QueryKey>(
  options: UseQueryOptions<T, Error, T, K>,
) {
  const { data, error, refetch } = useQuery(options)
  const [said, setSaid] = useState<Said>({ failure: null, loadedAt: undefined })
  const loadedAt = data?.loadedAt
  const failure = error ?? (loadedAt === said.loadedAt ? said.failure : null)
  if (failure !== said.failure || loadedAt !== said.loadedAt) setSaid({ failure, loadedAt })
  return { data, failure, refetch }
}

/** Says that a list may be out of date. */
export function KeptNotice({ keptAt }: { keptAt: string | null }) {
  if (keptAt === null) return null
  return (
    <Banner tone="warn">
      The server cannot be reached. This list is from {formatDateTime(keptAt)}. Scans are kept on this device
      and sent later.
    </Banner>
  )
}
