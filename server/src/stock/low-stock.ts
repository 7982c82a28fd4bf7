import { planLocationCodes } from '@inventory-manager/contract/plans'
import { mostSkusNamed } from '../audit/configuration.ts'
import { program, recordAudit, recordAudits } from '../audit/queries.ts'
import { keepDoing, type Background } from '../platform/background.ts'
import { allowMinutes, type Database, type Tx } from '../platform/db/database.ts'
import { codeOfDatabaseError, isAway } from '../platform/db/errors.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import {
  findPlanToLookAt,
  forgetRisen,
  listCompaniesToLookAt,
  listFallen,
  lockLook,
  noteAllFallen,
  noteFallen,
  type Fallen,
} from './low-stock-queries.ts'

/** How long what has fallen waits to be told, as a rule. */
const lookEveryMs = 30_000
/** The least pause between looks for what no node has said it wrote. */
const sweepEveryMs = 600_000
/** Longer than a transaction may take, whose entries are of the time when it began. */
const marginMinutes = 60

const told = { kind: 'configuration', source: 'stock' } as const

async function tellEach(tx: Tx, fallen: readonly Fallen[]): Promise<void> {
  // In whatever order the database gives them.
  const sorted = fallen.toSorted(
    (one, other) => one.sku.localeCompare(other.sku) || one.location.localeCompare(other.location),
  )
  const entries = sorted.map(({ sku, location, quantity, minimum }) => ({
    ...told,
    event: 'stock_low' as const,
    sku,
    location,
    quantity,
    metadata: { minimum },
  }))
  await recordAudits(tx, program, entries)
}

/**
 * Looks which components have less than their minimum at a location of the plan, and tells the trail of those that had not at the last
 * look; of very many at once only how many.
 */
export async function lookAtStock(tx: Tx): Promise<void> {
  const plan = await findPlanToLookAt(tx)
  if (plan === null) return
  // As it takes with hundreds of thousands of minimums, and to wait for another node that looks at them.
  await allowMinutes(tx)
  await lockLook(tx)
  const locations = planLocationCodes(plan)
  await forgetRisen(tx, locations)
  const fallen = await listFallen(tx, { locations, limit: mostSkusNamed })
  if (fallen.length === 0) return
  if (fallen.length > mostSkusNamed) {
    const quantity = await noteAllFallen(tx, locations)
    await recordAudit(tx, program, { ...told, event: 'stocks_low', quantity })
  } else {
    await tellEach(tx, await noteFallen(tx, fallen))
  }
}

type Watching = {
  database: Database
  notices: Pick<Notices, 'watch'>
  onError: (error: unknown) => void
}

type Looking = Pick<Watching, 'database' | 'onError'> & { stopping: AbortSignal }

/** Whether what could not be done for a company is only a matter of time. */
const isPassing = (error: unknown) =>
  error instanceof AppError || codeOfDatabaseError(error) === 'unavailable'

/**
 * Looks at the stock of each company, and gives those to look at again soon: which were busy, and where the database is away, which ends
 * it, all the others that were not looked at.
 */
export async function lookAtEach(
  { database, onError, stopping }: Looking,
  companies: readonly string[],
): Promise<string[]> {
  const again: string[] = []
  for (const [index, tenantId] of companies.entries()) {
    if (stopping.aborted) break
    try {
      await database.inTenant(tenantId, lookAtStock)
    } catch (error) {
      onError(error)
      if (isAway(error)) return [...companies.slice(index + 1), ...again, tenantId]
      if (isPassing(error)) again.push(tenantId)
    }
  }
  return again
}

/**
 * Keeps looking for stock that falls below its minimum: where this node has written something, each half minute, and in all companies
 * now and then, for what a node that ended has not said. A company that is busy or cannot be looked at keeps no other from its look.
 */
export function keepWatchingStock({ database, notices, onError }: Watching): Background {
  const stopping = new AbortController()
  const written = new Set<string>()
  const unwatch = notices.watch((tenantId) => written.add(tenantId))
  let sweptAt: number | null = null

  async function lookAt(companies: readonly string[]): Promise<void> {
    const again = await lookAtEach({ database, onError, stopping: stopping.signal }, companies)
    for (const tenantId of again) written.add(tenantId)
  }

  async function sweep(): Promise<void> {
    const began = performance.now()
    const minutes = sweptAt === null ? null : Math.ceil((began - sweptAt) / 60_000) + marginMinutes
    await lookAt(await listCompaniesToLookAt(database, minutes))
    sweptAt = began
  }

  // Their work is to look, so that all of it counts for the pause.
  const work = () => Promise.resolve()
  const own = keepDoing({
    pauseMs: lookEveryMs,
    onError,
    async look() {
      const companies = [...written]
      written.clear()
      await lookAt(companies)
    },
    work,
  })
  const all = keepDoing({ pauseMs: sweepEveryMs, onError, look: sweep, work })
  return {
    async stop() {
      unwatch()
      stopping.abort()
      await Promise.all([own.stop(), all.stop()])
    },
  }
}
