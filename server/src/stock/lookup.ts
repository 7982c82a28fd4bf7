import type { Database } from '../platform/db/database.ts'
import { together } from '../platform/db/together.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Claims } from '../platform/http/identity.ts'
import { componentNotFound } from './component-not-found.ts'

type Asked = { claims: Claims; codes: readonly string[] }
type Found = { outcome: 'found' | 'not_found' | 'unauthorized'; component: string | null }

/** The component that the first of some codes means, by any barcode of it, as JSON text; throws 'not_found' or 'unauthorized'. */
export type Lookup = (claims: Claims, codes: readonly string[]) => Promise<string>

async function findComponents(database: Database, asked: readonly Asked[]): Promise<Found[]> {
  const questions = asked.map(({ claims, codes }) => ({
    tenant: claims.tenantId,
    session: claims.sessionId,
    user: claims.userId,
    codes,
  }))
  return await database.callFunction<Found>('select outcome, component from find_components($1)', [
    JSON.stringify(questions),
  ])
}

/**
 * Looks components up by their codes in one statement, which checks the session itself: no other read is asked as often
 * (docs/decisions/018-one-statement-for-a-lookup.md).
 */
export function createLookup(database: Database): Lookup {
  const find = together((asked: readonly Asked[]) => findComponents(database, asked), { lanes: 2, most: 64 })
  return async (claims, codes) => {
    const { outcome, component } = await find({ claims, codes })
    if (outcome === 'unauthorized') throw new AppError('unauthorized')
    if (component === null) throw componentNotFound()
    return component
  }
}
