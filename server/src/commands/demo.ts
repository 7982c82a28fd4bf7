import { timeZone as zone } from '@inventory-manager/contract/accounts/rules'
import { demoCompany, demoPassword, demoPeople, makeDemoCompany } from '../demo/service.ts'
import { requireNoArguments, withNewDatabase, type Command } from './command.ts'

/** Makes the demo company in this data folder, where it is not there yet, and says how to sign in. */
export const demo: Command = {
  usage: `npm run demo

Starts the program with a made-up company, in a data folder of its own (data-demo).`,
  async run(args, installation) {
    requireNoArguments(args)
    const { assets, say } = installation
    // A machine whose zone the runtime does not know has none here.
    const { data: timeZone = 'UTC' } = zone.safeParse(Intl.DateTimeFormat().resolvedOptions().timeZone)
    const options = { assets, people: demoPeople, password: demoPassword, timeZone }
    await withNewDatabase(installation, ({ database }) => makeDemoCompany(database, options))
    say(`\n${demoCompany}: everything in it is made up. Sign in with the password ${demoPassword} as`)
    for (const { email, role } of demoPeople) {
      say(`  ${email.padEnd(20)} ${role === 'admin' ? 'administrator' : 'counts'}`)
    }
    say('')
  },
}
