import { parseArgs } from 'node:util'
import { backUp } from '../platform/backup/dump.ts'
import { readConfig } from '../platform/config.ts'
import { openOwnerDatabase } from '../start.ts'
import { UsageError, type Command } from './command.ts'

export function readFileName(args: string[]): string {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals
  if (file === undefined || others.length > 0) throw new UsageError('Name one file.')
  return file
}

/** What is said of tables in a database that are not the program's. */
export function leftOut(tables: string[]): string {
  return `Left out, because Inventory Manager did not make them: ${tables.join(', ')}.`
}

function putAside(quarters: number): string {
  return quarters === 1
    ? '1 quarter is put aside and is not in this file.'
    : `${quarters} quarters are put aside and are not in this file.`
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export const backup: Command = {
  usage: `npm run backup -- FILE

Writes everything of this installation, as it is at one moment, into a file. The program may go on running.`,
  async run(args, { say, version, migrations }) {
    const file = readFileName(args)
    const owner = await openOwnerDatabase(readConfig(), { say, alone: false })
    try {
      const { tables, rows, bytes, others, aside } = await backUp(file, {
        ownerUrl: owner.url,
        migrations,
        version,
      })
      say(
        `Backed up ${rows.toLocaleString('en-US')} rows of ${tables} tables into ${file} (${megabytes(bytes)}).`,
      )
      if (aside > 0) say(putAside(aside))
      if (others.length > 0) say(leftOut(others))
    } finally {
      await owner.stop()
    }
  },
}
