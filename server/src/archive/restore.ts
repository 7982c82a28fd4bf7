import { randomUUID } from 'node:crypto'
import { hashPassword } from '../accounts/passwords.ts'
import { isCompanyHere } from '../accounts/queries.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { commandLine } from '../audit/queries.ts'
import { allowMinutes, allowPauses, type Database, type Tx } from '../platform/db/database.ts'
import { listLedgerFaults } from '../stock/queries.ts'
import type { ArchivedFile, Manifest } from './manifest.ts'
import {
  claimEmails,
  expireStagedImports,
  limitTrial,
  listColumns,
  restoreRows,
  setPassword,
} from './queries.ts'
import { openArchive, RestoreError, type OpenArchive } from './read.ts'
import { archivedTables } from './tables.ts'

type Administrator = { email: string; password: string }

/** The files of the tables in the order in which they can be put back; throws for tables of a newer version. */
function filesInOrder({ tables }: Manifest): ArchivedFile[] {
  const foreign = tables.find(({ name }) => archivedTables.every((table) => table.name !== name))
  if (foreign !== undefined) {
    throw new RestoreError(`The archive has a table of a newer version (${foreign.name}). Update first.`)
  }
  return archivedTables.flatMap(({ name }) => tables.filter((file) => file.name === name))
}

async function restoreTable(
  tx: Tx,
  archive: OpenArchive,
  { file, extra }: { file: ArchivedFile; extra: Record<string, string | null> },
): Promise<void> {
  const known = await listColumns(tx, file.name)
  const foreign = file.columns.find((column) => !known.includes(column))
  if (foreign !== undefined) {
    throw new RestoreError(
      `The archive has a column of a newer version (${file.name}.${foreign}). Update first.`,
    )
  }
  const faults: unknown[] = []
  for await (const lines of archive.linesOf(file)) {
    // Read to the end in any case: its sum tells a damaged file from rows that are refused.
    if (faults.length > 0) continue
    const rows = { table: file.name, columns: file.columns, rows: `[${lines.join(',')}]`, extra }
    const [put] = await Promise.allSettled([restoreRows(tx, rows)])
    if (put.status === 'rejected') faults.push(put.reason)
  }
  if (faults.length > 0) throw faults[0]
}

async function restoreAll(tx: Tx, archive: OpenArchive, admin: Administrator): Promise<void> {
  await allowMinutes(tx)
  await allowPauses(tx)
  // A hash that nobody knows the password of: the archive has none, and an administrator gives new ones. Whether an address was
  // confirmed is for who sends mails to it to see, not for who made the archive to say.
  const unknown = { password_hash: await hashPassword(randomUUID()), email_confirmed_at: null }
  for (const file of filesInOrder(archive.manifest)) {
    await restoreTable(tx, archive, { file, extra: file.name === 'users' ? unknown : {} })
  }
  await expireStagedImports(tx)
  await limitTrial(tx)
  const given = { email: admin.email, passwordHash: await hashPassword(admin.password) }
  if (!(await setPassword(tx, given))) {
    throw new RestoreError(`The archive has no active administrator with the address ${admin.email}.`)
  }
  const taken = await claimEmails(tx)
  if (taken !== null) {
    throw new RestoreError(`${taken} signs in to a company of this installation already.`)
  }
  const [fault] = await listLedgerFaults(tx)
  if (fault !== undefined) {
    throw new RestoreError(`The stock of ${fault.barcode} differs from its movements. Nothing was restored.`)
  }
  await recordConfigurationChange(tx, commandLine, {
    event: 'company_restored',
    source: 'command',
    archived_at: archive.manifest.created_at,
  })
}

export type Restored = { tenantId: string; name: string; sameId: boolean; rows: number }

/**
 * Restores a company from an archive in one transaction: under its own id where that is free, else under a new one.
 * The named administrator gets the password, nobody else can sign in until they get one too. Throws RestoreError, and
 * then nothing was restored.
 */
export async function restoreCompany(
  database: Database,
  path: string,
  admin: Administrator,
): Promise<Restored> {
  const archive = await openArchive(path)
  try {
    const { company, tables } = archive.manifest
    const sameId = !(await database.inTenant(company.id, isCompanyHere))
    const tenantId = sameId ? company.id : randomUUID()
    await database.inTenant(tenantId, (tx) => restoreAll(tx, archive, admin))
    return { tenantId, name: company.name, sameId, rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
  } finally {
    archive.close()
  }
}
