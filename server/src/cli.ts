import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { addUser as addUserRule } from './accounts/places.ts'
import { hashPassword } from './accounts/passwords.ts'
import { findLogin } from './accounts/queries.ts'
import { recordAudit } from './audit/queries.ts'
import { verifyTrails } from './verify-audit.ts'
import { newUser } from '@inventory-manager/contract/accounts/rules'
import { readConfig } from './platform/config.ts'
import { AppError } from './platform/http/app-error.ts'
import { listLedgerFaults } from './stock/queries.ts'
import { explainStartFailure } from './start-failure.ts'
import { openDatabase } from './start.ts'

const usage = `npm run check-ledger

Compares every stock figure of every company with the sum of its movements.

npm run verify-audit [-- --head COMPANY:NUMBER:HASH]

Checks that no entry of any company's audit trail was changed, removed, added or moved, and names the first that was.
--head is a line of an earlier check: what came before it must still be the same.

npm run add-user -- --company-of ADMIN_EMAIL --email EMAIL --name NAME --password PASSWORD [--role user|admin]

Adds a person to a company. --company-of is the e-mail address of anybody who is in the company already.`

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** What the command line says is wrong with a call; shown with the usage. */
class UsageError extends Error {}

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

async function addUser(args: string[]): Promise<void> {
  const { companyOf, user } = readArguments(args)
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
  const { database, close } = await openDatabase(readConfig(), { migrations, say, as: 'command' })
  try {
    const company = await findLogin(database.outside, companyOf)
    if (company === null) throw new UsageError(`Nobody here signs in as ${companyOf}.`)
    const passwordHash = await hashPassword(user.password)
    await database.inTenant(company.tenantId, async (tx) => {
      const { id } = await addUserRule(tx, { ...user, passwordHash })
      await recordAudit(
        tx,
        { userId: null, role: 'admin', userName: 'Command line' },
        {
          kind: 'configuration',
          event: 'user_added',
          sku: 'CONFIG_USER_ADDED',
          source: 'command',
          metadata: { type: 'config_change', user_id: id, email: user.email, role: user.role },
        },
      )
    })
    say(`${user.name} can now sign in as ${user.email}.`)
  } finally {
    await close()
  }
}

/** Compares stock with its ledger, company by company; says what differs and ends with 1 when anything does. */
async function checkLedger(): Promise<void> {
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
  const { database, listTenants, close } = await openDatabase(readConfig(), {
    migrations,
    say,
    as: 'command',
  })
  try {
    let faults = 0
    const tenants = await listTenants()
    for (const tenantId of tenants) {
      for (const fault of await database.inTenant(tenantId, listLedgerFaults)) {
        faults += 1
        say(
          `${tenantId} ${fault.barcode} ${fault.location}: stock ${fault.quantity}, movements ${fault.moved ?? 0}`,
        )
      }
    }
    say(`${tenants.length} companies checked, ${faults} stock figures differ from their movements.`)
    if (faults > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

async function verifyAudit(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { head: { type: 'string' } } })
  const [tenantId, seq, hash] = values.head?.split(':') ?? []
  if (values.head !== undefined && (hash === undefined || !/^\d+$/.test(seq ?? ''))) {
    throw new UsageError('--head must be COMPANY:NUMBER:HASH.')
  }
  const known = tenantId === undefined ? null : { tenantId, seq: Number(seq), hash: hash ?? '' }
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
  const { database, listTenants, close } = await openDatabase(readConfig(), {
    migrations,
    say,
    as: 'command',
  })
  try {
    if (!(await verifyTrails(database, { tenants: await listTenants(), known, say }))) process.exitCode = 1
  } finally {
    await close()
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (error instanceof AppError) return error.message
  const unknownOption =
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return unknownOption ? `${error.message}\n\n${usage}` : explainStartFailure(error)
}

const [command, ...rest] = process.argv.slice(2)
try {
  if (command === 'add-user') await addUser(rest)
  else if (command === 'check-ledger') await checkLedger()
  else if (command === 'verify-audit') await verifyAudit(rest)
  else throw new UsageError('There is no such command.')
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
