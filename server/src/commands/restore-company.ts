import { parseArgs } from 'node:util'
import { newUser } from '@inventory-manager/contract/accounts/rules'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { z } from '@inventory-manager/contract/zod'
import { openArchive } from '../archive/read.ts'
import { restoreCompany as restore } from '../archive/restore.ts'
import { UsageError, withNewDatabase, wrongOptions, type Command } from './command.ts'

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: 'string' }, password: { type: 'string' } },
  })
  const [path] = positionals
  const admin = z.pick(newUser, { email: true, password: true }).safeParse(values)
  if (path === undefined || positionals.length > 1) throw new UsageError('Name one archive.')
  if (!admin.success) throw wrongOptions(admin.error)
  return { path, admin: admin.data }
}

export const restoreCompany: Command = {
  usage: `npm run restore-company -- ARCHIVE.zip --email EMAIL --password PASSWORD

Restores a company from an archive (Exports, 'Whole company'). Archives hold no passwords: --email names an
administrator of the company, who gets this one. The others choose new ones by links: mailed to who forgot theirs, or from Team.`,
  async run(args, installation) {
    const { path, admin } = readArguments(args)
    // A mistyped name makes no database.
    const archive = await openArchive(path)
    archive.close()
    await withNewDatabase(installation, async ({ database }) => {
      const { name, tenantId, sameId, rows } = await restore(database, path, admin)
      installation.say(
        `${name} is restored: ${wholeNumber(rows)} rows, every stock figure the sum of its movements.`,
      )
      if (!sameId) installation.say(`Its id is in use here, so it has a new one: ${tenantId}.`)
      installation.say(
        `${admin.email} can now sign in. Others choose a new password first: by Forgot password? where mail is set up, else by a link from Team.`,
      )
    })
  },
}
