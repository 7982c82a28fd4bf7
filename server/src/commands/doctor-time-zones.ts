import { findZoneDifference, listTimeZones } from '../accounts/time-zones.ts'
import { getCompanySettings } from '../company/settings-queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Finding } from './doctor-finding.ts'

const about = 'time zones'

type Found = {
  /** What is in a zone that the database does not know. */
  unknown: string[]
  /** What is in one of which it knows something else than Node.js. */
  differing: string[]
}

/** Looks at the zone of a company; the database's own are as they are written, whichever way. */
async function lookAtOne(tx: Tx, known: ReadonlySet<string>, found: Found): Promise<void> {
  const { name, time_zone: zone } = await getCompanySettings(tx)
  if (!known.has(zone.toLowerCase())) {
    found.unknown.push(`${name} (${zone})`)
    return
  }
  const since = await findZoneDifference(tx, zone, new Date())
  if (since !== null) found.differing.push(`${name} (${zone}, by ${since.toISOString().slice(0, 10)})`)
}

/**
 * Days and months are computed by the database, and the day of a weekly list by the program: a company in a zone that the database
 * does not know can do nothing, and where the two differ, days begin at two times.
 */
export async function lookAtTimeZones(database: Database, tenants: string[]): Promise<Finding> {
  const found: Found = { unknown: [], differing: [] }
  let known: Set<string> | undefined
  for (const id of tenants) {
    await database.inTenant(id, async (tx) => {
      known ??= new Set((await listTimeZones(tx)).map((name) => name.toLowerCase()))
      await lookAtOne(tx, known, found)
    })
  }
  const { unknown, differing } = found
  if (unknown.length > 0) {
    return {
      state: 'bad',
      about,
      says: `the database does not know those of ${unknown.join(', ')}: an administrator chooses another under Settings`,
    }
  }
  if (differing.length > 0) {
    return {
      state: 'doubtful',
      about,
      says: `the database and Node.js have different times for ${differing.join(', ')}: update the older of the two (Node.js has zones of ${process.versions['tz'] ?? 'its system'}), or an administrator chooses another under Settings`,
    }
  }
  return { state: 'good', about, says: 'the database knows those of all companies, as Node.js does' }
}
