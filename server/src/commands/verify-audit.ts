import { parseArgs } from 'node:util'
import { readSeal, sealText, type KeptSeal } from '@inventory-manager/contract/audit/kept-seal'
import { auditMessages } from '@inventory-manager/contract/audit/messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { verifyTrail } from '../audit/chain.ts'
import type { Database } from '../platform/db/database.ts'
import { companies, UsageError, withDatabase, type Command } from './command.ts'

type Check = {
  tenants: string[]
  /** A newest seal that was noted earlier. */
  known: KeptSeal | null
  say: (line: string) => void
}

/**
 * Checks every company's trail, one after the other, with a line for each; false where any is not intact. Throws UsageError
 * for a seal of a company that is not there.
 */
export async function verifyTrails(database: Database, { tenants, known, say }: Check): Promise<boolean> {
  if (known !== null && !tenants.includes(known.tenantId)) {
    throw new UsageError(`There is no company ${known.tenantId} here.`)
  }
  let broken = 0
  let entries = 0
  for (const tenantId of tenants) {
    const { checked, detached, head, fault } = await verifyTrail(
      database,
      tenantId,
      known?.tenantId === tenantId ? known : null,
    )
    entries += checked
    if (fault !== null) broken += 1
    const aside = detached === 0 ? '' : `. ${auditMessages.detached(detached)}`
    const state =
      fault === null ? `${howMany(checked, 'entry', 'entries')} intact` : auditMessages.fault(fault)
    say(`${tenantId}: ${state}${head === null ? '' : `, head ${sealText({ tenantId, ...head })}`}${aside}`)
  }
  const good = howMany(entries, 'entry', 'entries')
  say(`${companies(tenants.length)} checked, ${good} good, ${howMany(broken, 'trail')} not intact.`)
  return broken === 0
}

/** A line of an earlier check, as it was printed; null where none is given. */
export function readHead(args: string[]): KeptSeal | null {
  const { values } = parseArgs({ args, options: { head: { type: 'string' } } })
  if (values.head === undefined) return null
  const kept = readSeal(values.head)
  if (kept === null) throw new UsageError('--head must be COMPANY:NUMBER:HASH.')
  return kept
}

/** Checks the chain of every company's trail; ends with 1 when any is not intact. */
export const verifyAudit: Command = {
  usage: `npm run verify-audit [-- --head COMPANY:NUMBER:HASH]

Checks that no entry of any company's audit trail was changed, removed, added or moved, and names the first that was.
--head is a line of an earlier check: what came before it must still be the same.`,
  async run(args, installation) {
    const known = readHead(args)
    const { say } = installation
    await withDatabase(installation, async ({ database, listTenants }) => {
      if (!(await verifyTrails(database, { tenants: await listTenants(), known, say }))) process.exitCode = 1
    })
  },
}
