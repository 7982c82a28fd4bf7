import { parseArgs } from 'node:util'
import { findLogin } from '../accounts/queries.ts'
import { getUser } from '../accounts/team-queries.ts'
import { makePasswordLink } from '../accounts/team-service.ts'
import { commandLine } from '../audit/queries.ts'
import { readConfig } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { inAddress } from '../platform/http/network.ts'
import { CommandError, UsageError, withDatabase, type Command } from './command.ts'

/** Makes a link by which somebody sets a new password; throws CommandError for who cannot sign in here. */
export async function makeLinkFor(
  database: Database,
  email: string,
): Promise<{ name: string; secret: string; expiresAt: Date }> {
  const login = await findLogin(database.outside, email)
  if (login === null) {
    throw new CommandError(
      `Nobody here signs in as ${email}. An administrator gives access back to who was deactivated, under Team.`,
    )
  }
  return await database.inTenant(login.tenantId, async (tx) => {
    const { name } = await getUser(tx, login.userId)
    const { secret, expiresAt } = await makePasswordLink(tx, commandLine, {
      id: login.userId,
      source: 'command',
    })
    return { name, secret, expiresAt }
  })
}

function readEmail(args: string[]): string {
  const { email } = parseArgs({ args, options: { email: { type: 'string' } } }).values
  if (email === undefined || email.trim() === '') throw new UsageError('--email is missing.')
  return email.trim().toLowerCase()
}

export const passwordLink: Command = {
  usage: `npm run password-link -- --email EMAIL

Makes a link by which this person sets a new password: for an administrator whom no other can help. It works once, within
24 hours, and forgets wrong guesses.`,
  async run(args, installation) {
    const email = readEmail(args)
    const { PUBLIC_URL: publicUrl, HOST: host, PORT: port } = readConfig()
    await withDatabase(installation, async ({ database }) => {
      const { name, secret, expiresAt } = await makeLinkFor(database, email)
      installation.say(`By this link ${name} sets a new password, once, before ${expiresAt.toISOString()}:`)
      installation.say(`${publicUrl ?? `http://${inAddress(host)}:${port}`}/new-password#${secret}`)
      if (publicUrl === undefined) {
        installation.say(
          'Where people reach the program at another address, put that one before /new-password.',
        )
      }
    })
  },
}
