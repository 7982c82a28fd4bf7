import { howMany } from '@inventory-manager/contract/numbers'
import { listLedgerFaults } from '../stock/queries.ts'
import { companies, requireNoArguments, withDatabase, type Command } from './command.ts'

export const differing = [
  'stock figure differs from its movements',
  'stock figures differ from their movements',
] as const

/** Compares stock with its ledger, company by company; says what differs and ends with 1 when anything does. */
export const checkLedger: Command = {
  usage: `npm run check-ledger

Compares every stock figure of every company with the sum of its movements.`,
  async run(args, installation) {
    requireNoArguments(args)
    await withDatabase(installation, async ({ database, listTenants }) => {
      let faults = 0
      const tenants = await listTenants()
      for (const tenantId of tenants) {
        for (const fault of await database.inTenant(tenantId, listLedgerFaults)) {
          faults += 1
          installation.say(
            `${tenantId} ${fault.barcode} ${fault.location}: stock ${fault.quantity}, movements ${fault.moved}`,
          )
        }
      }
      installation.say(`${companies(tenants.length)} checked, ${howMany(faults, ...differing)}.`)
      if (faults > 0) process.exitCode = 1
    })
  },
}
