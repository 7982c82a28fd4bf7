import type pg from 'pg'
import { howMany } from '@inventory-manager/contract/numbers'
import { verifyTrail } from '../audit/chain.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { createPool } from '../platform/db/pool.ts'
import { plainStatement } from '../platform/db/statements.ts'
import { listTenantIds } from '../platform/db/tenant-ids.ts'
import { readConfig, type Config } from '../platform/config.ts'
import { listLedgerFaults } from '../stock/queries.ts'
import { explainStartFailure } from '../start-failure.ts'
import { openOwnerDatabase } from '../start.ts'
import { differing } from './check-ledger.ts'
import { companies, hasOwnDatabase, requireNoArguments, type Command, type Installation } from './command.ts'
import { lookAtDatabase } from './doctor-database.ts'
import { lookAtBackups } from './doctor-backups.ts'
import { lookAtReplica } from './doctor-replica.ts'
import type { Finding } from './doctor-finding.ts'
import { lookAtMachine, lookAtMail, lookAtSettings } from './doctor-machine.ts'
import { lookAtTimeZones } from './doctor-time-zones.ts'

const marks = { good: 'ok  ', doubtful: 'look', bad: 'BAD ' }

async function lookAtLedger(database: Database, tenants: string[]): Promise<Finding> {
  let faults = 0
  for (const id of tenants) faults += (await database.inTenant(id, listLedgerFaults)).length
  if (faults === 0) {
    return {
      state: 'good',
      about: 'ledger',
      says: `stock equals its movements in ${companies(tenants.length)}`,
    }
  }
  const says = `${howMany(faults, ...differing)}: npm run check-ledger shows where`
  return { state: 'bad', about: 'ledger', says }
}

async function lookAtTrails(database: Database, tenants: string[]): Promise<Finding> {
  let entries = 0
  let broken = 0
  for (const id of tenants) {
    const { checked, fault } = await verifyTrail(database, id)
    entries += checked
    if (fault !== null) broken += 1
  }
  if (broken === 0) {
    return {
      state: 'good',
      about: 'audit trail',
      says: `${howMany(entries, 'entry', 'entries')} of ${companies(tenants.length)} are as sealed`,
    }
  }
  const says = `the trail of ${companies(broken)} is not as it was sealed: npm run verify-audit names the entry`
  return { state: 'bad', about: 'audit trail', says }
}

/** Whether companies can be looked at: all tables are there, and the trail's waiting entries can be sealed. */
function allowsMore({ about, state }: Finding): boolean {
  return about === 'migrations' ? state === 'good' : about !== 'database' || state !== 'bad'
}

/** `url`: the owner's address. */
async function lookInside(
  owner: pg.Pool,
  { url, config, migrations }: { url: string; config: Config; migrations: string },
): Promise<Finding[]> {
  const { DATABASE_APP_URL: appUrl, DATABASE_REPLICA_URL: replicaUrl } = config
  const findings = [
    ...(await lookAtDatabase(owner, { migrations, appUrl })),
    ...(await lookAtReplica(owner, { replicaUrl, appUrl: appUrl ?? url })),
  ]
  if (!findings.every(allowsMore)) return findings
  const tenants = await listTenantIds(owner)
  const database = createDatabase(owner, plainStatement)
  return [
    ...findings,
    await lookAtTimeZones(database, tenants),
    await lookAtLedger(database, tenants),
    await lookAtTrails(database, tenants),
  ]
}

async function lookAtOwner(config: Config, installation: Installation): Promise<Finding[]> {
  const quiet = () => undefined
  if (config.DATABASE_URL === undefined && !(await hasOwnDatabase(config))) {
    return [
      {
        state: 'doubtful',
        about: 'database',
        says: 'there is none: npm start makes an empty one, npm run restore brings back a backup',
      },
    ]
  }
  const owner = await openOwnerDatabase(config, { say: quiet, alone: false })
  const pool = createPool({ url: owner.url, size: 2, onError: quiet })
  try {
    return await lookInside(pool, { url: owner.url, config, migrations: installation.migrations })
  } finally {
    await pool.end()
    await owner.stop()
  }
}

/** What cannot be looked at is bad, and the rest is still said. */
async function orExplain(about: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [{ state: 'bad', about, says: explainStartFailure(error) }]
  }
}

export async function examine(config: Config, installation: Installation): Promise<Finding[]> {
  return [
    ...lookAtSettings(config),
    ...(await orExplain('machine', () => lookAtMachine(config))),
    ...(await lookAtMail(config)),
    ...(await orExplain('backups', () => lookAtBackups(config, installation.migrations))),
    ...(await orExplain('database', () => lookAtOwner(config, installation))),
  ]
}

/** One line for each thing that matters; ends with 1 when something is bad. */
export const doctor: Command = {
  usage: `npm run doctor

Looks at settings, machine, mail server, backups, database, migrations, roles, replica, time zones, ledger and audit trail, and says what is wrong. Changes nothing,
but seals the entries of the trail that wait for it.`,
  async run(args, installation) {
    requireNoArguments(args)
    const findings = await orExplain('settings', async () => examine(readConfig(), installation))
    for (const { state, about, says } of findings) installation.say(`${marks[state]}  ${about}: ${says}`)
    const bad = findings.filter(({ state }) => state === 'bad').length
    const doubtful = findings.filter(({ state }) => state === 'doubtful').length
    installation.say(`${findings.length} looked at, ${bad} bad, ${doubtful} worth a look`)
    if (bad > 0) process.exitCode = 1
  },
}
