import { addUser } from './commands/add-user.ts'
import { backup } from './commands/backup.ts'
import { checkLedger } from './commands/check-ledger.ts'
import { UsageError, type Command } from './commands/command.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { history } from './commands/history.ts'
import { passwordLink } from './commands/password-link.ts'
import { removeCompany } from './commands/remove-company.ts'
import { restoreCompany } from './commands/restore-company.ts'
import { restore } from './commands/restore.ts'
import { verifyAudit } from './commands/verify-audit.ts'
import { errorCode } from './platform/error-code.ts'
import { AppError } from './platform/http/app-error.ts'
import { findOwnFiles } from './own-files.ts'
import { explainStartFailure } from './start-failure.ts'

const commands = new Map<string, Command>([
  ['add-user', addUser],
  ['password-link', passwordLink],
  ['check-ledger', checkLedger],
  ['verify-audit', verifyAudit],
  ['history', history],
  ['backup', backup],
  ['restore', restore],
  ['restore-company', restoreCompany],
  ['remove-company', removeCompany],
  ['doctor', doctor],
  ['demo', demo],
])

const say = (line: string) => void process.stdout.write(`${line}\n`)

function usageOf(command: Command | undefined): string {
  return command?.usage ?? [...commands.values()].map((known) => known.usage).join('\n\n')
}

function explain(error: unknown, command: Command | undefined): string {
  const usage = usageOf(command)
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (error instanceof AppError) return error.message
  const unknownOption = error instanceof Error && errorCode(error)?.startsWith('ERR_PARSE_ARGS') === true
  return unknownOption ? `${error.message}\n\n${usage}` : explainStartFailure(error)
}

const [name = '', ...rest] = process.argv.slice(2)
const command = commands.get(name)
const asksForHelp = [name, ...rest].some((word) => word === '--help' || word === '-h')
try {
  if (asksForHelp) {
    say(usageOf(command))
  } else {
    if (command === undefined) throw new UsageError('There is no such command.')
    const { migrations, assets, version } = findOwnFiles(import.meta.url)
    await command.run(rest, { migrations, assets, version, say })
  }
} catch (error) {
  process.stderr.write(`${explain(error, command)}\n`)
  process.exitCode = 1
}
