import { wholeNumber } from '@inventory-manager/contract/numbers'
import { requireReadable } from '../platform/backup/read.ts'
import { restore as restoreFile } from '../platform/backup/restore.ts'
import { readConfig } from '../platform/config.ts'
import { openOwnerDatabase } from '../start.ts'
import { leftOut, readFileName } from './backup.ts'
import type { Command } from './command.ts'

export const restore: Command = {
  usage: `npm run restore -- FILE

Brings a backup into an empty installation (an empty DATA_DIR or DATABASE_URL) of the same version or a newer one.`,
  async run(args, { say, migrations }) {
    const file = readFileName(args)
    // A mistyped name, or a newer version's file, makes no database.
    await requireReadable(file, migrations)
    const owner = await openOwnerDatabase(readConfig(), { say, alone: true })
    try {
      const { rows, tables, madeAt, newer, others } = await restoreFile(file, {
        ownerUrl: owner.url,
        migrations,
        say,
      })
      const brought = newer === 0 ? '' : ` and brought up to date (${newer} steps)`
      say(`Restored ${wholeNumber(rows)} rows of ${tables} tables, as they were at ${madeAt}${brought}.`)
      if (others.length > 0) say(leftOut(others))
      say(
        'Everybody has to sign in again. People, passwords, API keys and invitations are as they were then: whatever was ended since has to be ended again.',
      )
    } finally {
      await owner.stop()
    }
  },
}
