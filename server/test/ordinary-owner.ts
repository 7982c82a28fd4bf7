import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate, withStartLock } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'

const migrations = resolve(import.meta.dirname, '../migrations')

async function maintain(statement: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: inject('ownerUrl') })
  await superuser.connect()
  await superuser.query(statement)
  await superuser.end()
}

/** A role that owns databases and is no superuser, as on a server that somebody else runs. */
export async function makeOrdinaryOwner() {
  const name = `owner_${randomUUID().slice(0, 8)}`
  await maintain(`create role "${name}" login createrole password 'known'`)
  await maintain(`grant inventory_manager_app to "${name}" with admin option`)
  const handDatabase = async (url: string): Promise<string> => {
    const own = Object.assign(new URL(url), { username: name, password: 'known' })
    await maintain(`alter database ${own.pathname.slice(1)} owner to "${name}"`)
    return own.href
  }
  return {
    /** Makes an empty database its own; gives its address there. */
    handDatabase,
    /** Makes an empty database its own, and brings it up to date as that role; gives its address there. */
    async giveDatabase(url: string): Promise<string> {
      const own = await handDatabase(url)
      const pool = createPool({ url: own, size: 2, onError: () => undefined })
      await withStartLock(pool, () => migrate(pool, migrations))
      await pool.end()
      return own
    },
    /** Lets it give the application's role of that database, which a superuser has made, to others. */
    async mayGrant(url: string): Promise<void> {
      await maintain(
        `grant inventory_manager_app_${new URL(url).pathname.slice(1)} to "${name}" with admin option`,
      )
    },
    /** Takes the role away, whose databases are gone. */
    remove: () => maintain(`drop role "${name}"`),
  }
}
