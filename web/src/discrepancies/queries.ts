import {
  decideDiscrepancies,
  listDiscrepancies,
  mostDecided,
  reopenDiscrepancy,
  type Discrepancy,
  type DiscrepancyOrder,
} from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import type { DiscrepancyStatus } from '@inventory-manager/contract/discrepancies/rules'
import type { EndpointCall, EndpointReply } from '@inventory-manager/contract/endpoint'
import type { CountType } from '@inventory-manager/contract/values'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { isUnreached, messageOf } from '../api/api-error.ts'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { standingOf } from '../api/list-standing.ts'
import { useOnce } from '../api/once.ts'
import { inParts } from './choice.ts'

export type Filters = {
  status: DiscrepancyStatus | ''
  location: string
  countType: CountType | ''
  search: string
  sort: DiscrepancyOrder
}

const pageSize = '100'

/** What the filters ask for; empty ones ask for all. */
export function filterQuery({ status, location, countType, search }: Omit<Filters, 'sort'>) {
  return {
    ...(status === '' ? {} : { status }),
    ...(location === '' ? {} : { location }),
    ...(countType === '' ? {} : { count_type: countType }),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
  }
}

function queryOf(filters: Filters, cursor: string | undefined) {
  return { sort: filters.sort, limit: pageSize, ...filterQuery(filters), cursor }
}

/** In which money the values are; null where the company has said no costs. */
function currencyOf(page: EndpointReply<typeof listDiscrepancies> | undefined): string | null {
  return page?.has_costs === true ? page.currency : null
}

/** The differences that pass the filters, page after page; what is shown stays while others load. */
export function useDiscrepancies(filters: Filters) {
  const pages = useInfiniteQuery({
    queryKey: [listDiscrepancies.path, filters],
    queryFn: ({ signal, pageParam }) =>
      call(listDiscrepancies, { query: queryOf(filters, pageParam) }, { signal }),
    ...byCursor,
    placeholderData: (previous) => previous,
  })
  const items: Discrepancy[] = pages.data?.pages.flatMap((page) => page.discrepancies) ?? []
  return {
    ...pages,
    items,
    ...standingOf(pages, items.length),
    total: pages.data?.pages[0]?.total ?? 0,
    currency: currencyOf(pages.data?.pages[0]),
  }
}

type Body = EndpointCall<typeof decideDiscrepancies>['body']

export type Decision = Pick<Body, 'decision' | 'reason' | 'note'> & { items: readonly Discrepancy[] }

/** With what was shown, so that nothing else is decided. */
function bodyOf({ items, ...how }: Decision): Body {
  return {
    ...how,
    ids: items.map(({ id }) => id),
    seen: items.map(({ id, expected, counted }) => ({ id, expected, counted })),
  }
}

/** How many were decided, and why the others were not. */
type Outcome = { decided: number; failure: string | null }

function failureWords(decided: number, error: unknown): string {
  const { deciding, decidingOthers, unanswered, unansweredOthers } = discrepancyMessages
  const message = messageOf(error)
  if (isUnreached(error)) return decided === 0 ? unanswered(message) : unansweredOthers(decided, message)
  return decided === 0 ? deciding(message) : decidingOthers(decided, message)
}

/** Loads the lists again after an error; a network that has failed does not keep back why something was not done. */
async function reloadAfter(error: unknown, reload: () => Promise<void>): Promise<void> {
  const reloaded = reload()
  if (!isUnreached(error)) await reloaded
}

/**
 * Sends a decision, in parts where one call does not take it, and loads the lists again. `after`: how much was decided and taken back
 * before, since the same decision made again is another one.
 */
export function useDecide(): (decision: Decision, after: number) => Promise<Outcome> {
  const client = useQueryClient()
  const once = useOnce()
  return async ({ items, ...how }, after) => {
    const reload = () => client.invalidateQueries({ queryKey: [listDiscrepancies.path] })
    let decided = 0
    try {
      for (const part of inParts(items, mostDecided)) {
        const body = bodyOf({ items: part, ...how })
        const reply = await once([after, body], (idempotencyKey) =>
          call(decideDiscrepancies, { body }, { idempotencyKey }),
        )
        decided += reply.decided
      }
      await reload()
      return { decided, failure: null }
    } catch (error) {
      await reloadAfter(error, reload)
      return { decided, failure: failureWords(decided, error) }
    }
  }
}

/** How a difference stands that was reopened, or why it was not, and whether nobody answered: then it may have been. */
export type Reopened = { status: DiscrepancyStatus } | { failure: string; isUnheard: boolean }

/** Reopens a difference that was decided, and loads the lists again; `after` as in useDecide. */
export function useReopen() {
  const client = useQueryClient()
  const once = useOnce()
  return async (id: string, after: number): Promise<Reopened> => {
    const reload = () => client.invalidateQueries({ queryKey: [listDiscrepancies.path] })
    try {
      const { status } = await once([after, id], (idempotencyKey) =>
        call(reopenDiscrepancy, { body: { id } }, { idempotencyKey }),
      )
      await reload()
      return { status }
    } catch (error) {
      await reloadAfter(error, reload)
      const message = messageOf(error)
      const { reopening, unanswered } = discrepancyMessages
      const isUnheard = isUnreached(error)
      return { failure: isUnheard ? unanswered(message) : reopening(message), isUnheard }
    }
  }
}
