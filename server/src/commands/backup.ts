import { parseArgs } from 'node:util'
import { howMany, wholeNumber } from '@inventory-manager/contract/numbers'
import { checkBackup, type Checked } from '../platform/backup/check.ts'
import { backUp } from '../platform/backup/dump.ts'
import { readConfig } from '../platform/config.ts'
import { megabytes } from '../platform/megabytes.ts'
import { openOwnerDatabase } from '../start.ts'
import {
  CommandError,
  hasWorkedOn,
  requireInstallation,
  UsageError,
  type Command,
  type Installation,
} from './command.ts'

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
  return howMany(
    quarters,
    'quarter is put aside and is not in this file.',
    'quarters are put aside and are not in this file.',
  )
}

/** How long ago that was, in the largest unit of which two have passed. */
export function ageOf(madeAt: string, now = Date.now()): string {
  const hours = Math.floor((now - Date.parse(madeAt)) / 3_600_000)
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? howMany(hours, 'hour') : howMany(Math.floor(hours / 24), 'day')
}

function whatIsIn(file: string, { tables, bytes, ...made }: Checked, version: string): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const steps = made.behind === 0 ? '' : ` and brings it up to date (${howMany(made.behind, 'step')})`
  return [
    ...tables.map(
      (table) => `${table.name}: ${howMany(table.rows, 'row')}, ${wholeNumber(table.bytes)} bytes`,
    ),
    `${file} is whole: ${howMany(rows, 'row')} of ${howMany(tables.length, 'table')}, as their checksums say (${megabytes(bytes)}).`,
    `It was made at ${made.madeAt}, ${ageOf(made.madeAt)} ago, by version ${made.version} with migration ${made.newest}.`,
    `This program (${version}) can restore it${steps}.`,
  ]
}

async function make(file: string, { say, version, migrations }: Installation): Promise<void> {
  const config = readConfig()
  await requireInstallation(config)
  const owner = await openOwnerDatabase(config, { say, alone: false })
  try {
    if (!(await hasWorkedOn(owner.url))) {
      throw new CommandError(
        `There is nothing in the database in ${config.DATA_DIR} yet: the first start of the program was cut off. Start it again.`,
      )
    }
    const { tables, rows, bytes, others, aside } = await backUp(file, {
      ownerUrl: owner.url,
      migrations,
      version,
    })
    say(`Backed up ${wholeNumber(rows)} rows of ${tables} tables into ${file} (${megabytes(bytes)}).`)
    if (aside > 0) say(putAside(aside))
    if (others.length > 0) say(leftOut(others))
  } finally {
    await owner.stop()
  }
}

export const backup: Command = {
  usage: `npm run backup -- FILE
npm run backup -- --check FILE

Writes everything of this installation, as it is at one moment, into a file. The program may go on running.
--check reads a backup through and says whether it is whole and can be restored; it needs no database.`,
  async run(args, installation) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { check: { type: 'boolean', default: false } },
    })
    const file = readFileName(positionals)
    if (!values.check) return await make(file, installation)
    const { migrations, version, say } = installation
    for (const line of whatIsIn(file, await checkBackup(file, migrations), version)) say(line)
  },
}
