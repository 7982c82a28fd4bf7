import { parseArgs } from 'node:util'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { removeCompany as remove } from '../archive/remove.ts'
import { findSubscription } from '../company/plan-queries.ts'
import { getCompanySettings } from '../company/settings-queries.ts'
import type { Database } from '../platform/db/database.ts'
import { CommandError, getTenantOf, readCompanyOf, withDatabase, type Command } from './command.ts'

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { 'company-of': { type: 'string' }, name: { type: 'string' } },
  })
  return { companyOf: readCompanyOf(values['company-of']), name: values.name }
}

/** The company of an account, with its subscription where one is known. */
async function findCompany(database: Database, email: string) {
  return await database.inTenant(await getTenantOf(database, email), async (tx) => ({
    tenantId: tx.tenantId,
    name: (await getCompanySettings(tx)).name,
    subscription: (await findSubscription(tx))?.subscription_id ?? null,
  }))
}

export const removeCompany: Command = {
  usage: `npm run remove-company -- --company-of EMAIL --name "COMPANY NAME"

Removes a company for good: everything it has, and the accounts of its people, whose addresses are free again. --company-of is the
e-mail address of anybody who signs in to the company, --name its name as it stands, so that no other is removed by mistake.`,
  async run(args, installation) {
    const { companyOf, name } = readArguments(args)
    await withDatabase(installation, async ({ database, ownerUrl }) => {
      const company = await findCompany(database, companyOf)
      if (company.name !== name) {
        throw new CommandError(
          `${companyOf} is in "${company.name}". To remove it for good, say so: --name "${company.name}"`,
        )
      }
      installation.say(
        `Removing ${company.name}. From now on nobody of it gets in; if this is cut off, run it again.`,
      )
      const rows = await remove(ownerUrl, company.tenantId)
      installation.say(`${company.name} is removed: ${wholeNumber(rows)} rows.`)
      installation.say('Backups still have it, and so has what was copied of quarters that were put aside.')
      if (company.subscription !== null) {
        installation.say(`Its subscription at Stripe (${company.subscription}) goes on: end it there.`)
      }
    })
  },
}
