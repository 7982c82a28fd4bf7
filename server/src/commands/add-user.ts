import { parseArgs } from 'node:util'
import { newUser } from '@inventory-manager/contract/accounts/rules'
import { hashPassword } from '../accounts/passwords.ts'
import { findLogin } from '../accounts/queries.ts'
import { addUser as addUserRule } from '../accounts/seats.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { commandLine } from '../audit/queries.ts'
import { UsageError, withDatabase, type Command } from './command.ts'

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
  const user = newUser.safeParse(values)
  const companyOf = values['company-of']
  if (companyOf === undefined) throw new UsageError('--company-of is missing.')
  if (!user.success) {
    throw new UsageError(
      user.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`).join('\n'),
    )
  }
  return { companyOf: companyOf.trim().toLowerCase(), user: user.data }
}

export const addUser: Command = {
  usage: `npm run add-user -- --company-of EMAIL_OF_ANYBODY --email EMAIL --name NAME --password PASSWORD [--role user|admin]

Adds a person to a company. --company-of is the e-mail address of anybody who signs in to the company. An administrator is added
also where the plan has no seat left: whoever joined last has none then.`,
  async run(args, installation) {
    const { companyOf, user } = readArguments(args)
    await withDatabase(installation, async ({ database }) => {
      const company = await findLogin(database.outside, companyOf)
      if (company === null) throw new UsageError(`Nobody here signs in as ${companyOf}.`)
      const passwordHash = await hashPassword(user.password)
      await database.inTenant(company.tenantId, async (tx) => {
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
