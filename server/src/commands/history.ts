import { parseArgs } from 'node:util'
import type pg from 'pg'
import { howMany, wholeNumber } from '@inventory-manager/contract/numbers'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { AuditEvent } from '../audit/events.ts'
import { commandLine } from '../audit/queries.ts'
import { verifyTrail } from '../audit/chain.ts'
import type { Database } from '../platform/db/database.ts'
import { createPool } from '../platform/db/pool.ts'
import { megabytes } from '../platform/megabytes.ts'
import type { Say } from '../start.ts'
import { CommandError, UsageError, withDatabase, type Command } from './command.ts'
import { attachPart, detachPart, histories, labelOf, listParts, partOf, type Part } from './history-parts.ts'

type Work = { owner: pg.Pool; database: Database; tenants: string[]; say: Say }

/** This quarter and the one before it never go: counts of them are still taken back, judged and certified. */
const leastKept = 2
const usuallyKept = 5

function describe({ rows, bytes }: Part): string {
  const size = megabytes(bytes)
  return rows === null ? size : `${wholeNumber(rows)} rows, ${size}`
}

/** A line for each part: its quarter, and what both tables have in it. */
async function sayParts({ owner, say }: Pick<Work, 'owner' | 'say'>): Promise<void> {
  const parts = await listParts(owner)
  for (const name of new Set(
    parts.map(({ part, isDetached }) => `${isDetached ? 'detached ' : ''}${part}`),
  )) {
    const own = parts.filter(({ part, isDetached }) => `${isDetached ? 'detached ' : ''}${part}` === name)
    const [counts, trail] = histories.map((history) =>
      own
        .filter((part) => part.history === history)
        .map(describe)
        .join(),
    )
    say(`${labelOf(name).padEnd(24)} counts ${(counts ?? '').padEnd(30)} trail ${trail ?? ''}`)
  }
}

/** Throws CommandError where the part may not go now. */
async function requireDetachable(owner: pg.Pool, part: string, keep: number): Promise<void> {
  const attached = (await listParts(owner)).filter(({ isDetached }) => !isDetached)
  if (part === 'rest' || attached.every((one) => one.part !== part)) {
    throw new CommandError(`There is no quarter ${labelOf(part)} to detach. npm run history lists them.`)
  }
  const [oldest] = attached
  if (oldest !== undefined && oldest.part !== part) {
    throw new CommandError(`The oldest goes first: ${labelOf(oldest.part)}.`)
  }
  const { rows } = await owner.query(
    `select from history_parts() where part = $1 and next_id > id_at(
       (date_trunc('quarter', now() at time zone 'UTC') - make_interval(months => 3 * ($2::integer - 1))) at time zone 'UTC'
     )`,
    [part, keep],
  )
  if (rows.length > 0) {
    throw new CommandError(
      `${labelOf(part)} is not old enough: this quarter and the ${keep - 1} before it stay (--keep).`,
    )
  }
}

/** Nothing goes whose place in the chain is not known to be right: seals what waits and compares every trail. */
async function requireIntact({ database, tenants }: Work): Promise<void> {
  for (const tenantId of tenants) {
    const { fault } = await verifyTrail(database, tenantId)
    if (fault !== null) {
      throw new CommandError(
        `The trail of ${tenantId} is not as it was sealed: npm run verify-audit names the entry. Nothing was detached.`,
      )
    }
  }
}

async function note({ database, tenants }: Work, event: AuditEvent, part: string): Promise<void> {
  for (const tenantId of tenants) {
    await database.inTenant(tenantId, (tx) =>
      recordConfigurationChange(tx, commandLine, { event, source: 'command', quarter: labelOf(part) }),
    )
  }
}

/** Detaches the oldest part; says what is still there. */
async function detach(work: Work, { part, keep }: { part: string; keep: number }): Promise<void> {
  const { owner, tenants, say } = work
  await requireDetachable(owner, part, keep)
  await requireIntact(work)
  await detachPart(owner, { part, tenants })
  await note(work, 'history_detached', part)
  say(`${labelOf(part)} is detached: counts and audit entries of that time are in no list, search or export.`)
  say('Stock, its movements, differences, charts and roll-ups stay, and so do the seals of the trail:')
  say('verify-audit checks their chain and says how many entries were not checked.')
  say(`The rows lie in the schema "detached", in no backup. npm run history -- attach ${labelOf(part)}`)
  say('brings them back.')
}

/** Brings a detached part back. */
async function attach(work: Work, part: string): Promise<void> {
  const known = await listParts(work.owner)
  if (known.filter((one) => one.isDetached && one.part === part).length < 2) {
    throw new CommandError(`There is no detached quarter ${labelOf(part)}. npm run history lists them.`)
  }
  const dropped = await attachPart(work.owner, { part, tenants: work.tenants })
  await note(work, 'history_attached', part)
  work.say(`${labelOf(part)} is attached again.`)
  if (dropped > 0) {
    const rows = howMany(dropped, 'row')
    work.say(`Left out, and gone from here: ${rows} of companies that are not here any more.`)
  }
}

type Wish =
  { action: 'list' } | { action: 'attach'; part: string } | { action: 'detach'; part: string; keep: number }

function readWish(args: string[]): Wish {
  const options = { keep: { type: 'string', default: String(usuallyKept) } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [action, label = '', ...others] = positionals
  if (action === undefined) return { action: 'list' }
  const part = partOf(label)
  if (others.length > 0 || !/^(rest|(before_)?\d{4}_q[1-4])$/.test(part)) {
    throw new UsageError('Name one quarter, as it is listed.')
  }
  const keep = Number(values.keep)
  if (!Number.isInteger(keep) || keep < leastKept) {
    throw new UsageError(`--keep must be a number of quarters, at least ${leastKept}.`)
  }
  if (action === 'attach') return { action, part }
  if (action === 'detach') return { action, part, keep }
  throw new UsageError('It lists, or does detach or attach.')
}

async function carryOut(work: Work, wish: Wish): Promise<void> {
  if (wish.action === 'list') await sayParts(work)
  else if (wish.action === 'attach') await attach(work, wish.part)
  else await detach(work, wish)
}

/** Lists the parts of history and trail; puts the oldest aside and brings it back. */
export const history: Command = {
  usage: `npm run history
npm run history -- detach QUARTER [--keep QUARTERS]
npm run history -- attach QUARTER

Lists the parts that counts and audit trail lie in: a quarter each, with rows (an estimate) and size. detach puts the
oldest aside, when this quarter and four more (--keep) are younger and every trail is as it was sealed; attach brings
it back.`,
  async run(args, installation) {
    const wish = readWish(args)
    const { say } = installation
    await withDatabase(installation, async ({ database, listTenants, ownerUrl: url }) => {
      const owner = createPool({ url, size: 2, onError: () => undefined })
      try {
        await carryOut({ owner, database, tenants: await listTenants(), say }, wish)
      } finally {
        await owner.end()
      }
    })
  },
}
