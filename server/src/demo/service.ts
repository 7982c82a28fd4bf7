import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { trialDays } from '@inventory-manager/contract/plans'
import { sql } from 'kysely'
import { hashPassword } from '../accounts/passwords.ts'
import { createCompany, createUser, findLogin } from '../accounts/queries.ts'
import { findTimeZone } from '../accounts/time-zones.ts'
import { allowMinutes, type Database } from '../platform/db/database.ts'

export type DemoPerson = { email: string; name: string; role: 'admin' | 'user' }

export const demoCompany = 'Northwind Fasteners (Demo)'
export const demoPassword = 'demo-warehouse'

/** Who counts in the demo: an administrator and two people of the warehouse. */
export const demoPeople: readonly DemoPerson[] = [
  { email: 'ada@demo.example', name: 'Ada Admin', role: 'admin' },
  { email: 'mia@demo.example', name: 'Mia Moreno', role: 'user' },
  { email: 'tom@demo.example', name: 'Tom Tanaka', role: 'user' },
]

const separator = /^-- ;;$/m

/**
 * Makes a company with three months of counts up to now (assets/demo/company.sql), or says that it is there already.
 * @param options.people the first is the administrator; their e-mail addresses must be free
 */
export async function makeDemoCompany(
  database: Database,
  options: { assets: string; people: readonly DemoPerson[]; password: string; timeZone: string },
): Promise<'made' | 'there already'> {
  const [admin] = options.people
  if (admin === undefined) throw new Error('A company has at least one person.')
  if ((await findLogin(database.outside, admin.email)) !== null) return 'there already'
  const text = await readFile(join(options.assets, 'demo', 'company.sql'), 'utf8')
  const passwordHash = await hashPassword(options.password)
  await database.inTenant(randomUUID(), async (tx) => {
    const timeZone = (await findTimeZone(tx, options.timeZone)) ?? 'UTC'
    await createCompany(tx, { name: demoCompany, plan: 'enterprise', timeZone, trialDays })
    for (const person of options.people) await createUser(tx, { ...person, passwordHash })
    await allowMinutes(tx)
    for (const statement of text.split(separator)) await sql.raw(statement).execute(tx.db)
  })
  return 'made'
}
