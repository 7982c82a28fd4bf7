import { parseArgs } from 'node:util'
import { newUser } from '@inventory-manager/contract/accounts/rules'
import { hashPassword } from '../accounts/passwords.ts'
import { addUser as addUserRule } from '../accounts/seats.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { commandLine } from '../audit/queries.ts'
import { getTenantOf, readCompanyOf, withDatabase, wrongOptions, type Command } from './command.ts'

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      'company-of': { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      password: { type: 'string' },
      role: { type: 'string', default: 'user' },
    },
  })
  const companyOf = readCompanyOf(values['company-of'])
  const user = newUser.safeParse(values)
  if (!user.success) throw wrongOptions(user.error)
  return { companyOf, user: user.data }
}

export const addUser: Command = {
  usage: `npm run add-user -- --company-of EMAIL_OF_ANYBODY --email EMAIL --name NAME --password PASSWORD [--role user|admin]

Adds a person to a company. --company-of is the e-mail address of anybody who signs in to the company. An administrator is added
also where the plan has no seat left: whoever joined last has none then.`,
  async run(args, installation) {
    const { companyOf, user } = readArguments(args)
    await withDatabase(installation, async ({ database }) => {
      const tenantId = await getTenantOf(database, companyOf)
      const passwordHash = await hashPassword(user.password)
      await database.inTenant(tenantId, async (tx) => {
        const { id } = await addUserRule(tx, { ...user, passwordHash })
        await recordConfigurationChange(tx, commandLine, {
          event: 'user_added',
          source: 'command',
          user_id: id,
          email: user.email,
          role: user.role,
        })
      })
      installation.say(`${user.name} can now sign in as ${user.email}.`)
    })
  },
}
