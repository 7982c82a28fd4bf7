import { RoleError } from './platform/db/app-role.ts'
import { ConfigError } from './platform/config.ts'
import { NodesError } from './nodes.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { sqlState } from './platform/db/errors.ts'
import { EmbeddedPostgresError } from './platform/postgres/embedded-postgres-error.ts'

function systemSentence(error: NodeJS.ErrnoException): string | null {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return 'The port is taken by another program. Stop that program or choose another port: PORT=3001 npm start'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `No permission to write ${error.path ?? 'the data folder'}. Choose another folder with DATA_DIR.`
    case 'ENOSPC':
      return 'The disk that holds DATA_DIR is full. Free some space and start again.'
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return 'The database at DATABASE_URL does not answer. Check that it runs and that the address is right.'
    default:
      return null
  }
}

function databaseSentence(state: string): string | null {
  if (state === '28P01' || state === '28000')
    return 'The database refused the user or password of DATABASE_URL.'
  if (state === '3D000') return 'The database named in DATABASE_URL does not exist. Create it first.'
  if (state === '42501') {
    return 'The database role of DATABASE_URL may not do what is needed: it must own the database and be allowed to create roles.'
  }
  if (state === '53100') return 'The disk of the database is full. Free some space and start again.'
  return null
}

function knownSentence(error: Error): string | null {
  const state = sqlState(error)
  return state === null ? systemSentence(error) : databaseSentence(state)
}

function explainMigrationFailure(error: MigrationError): string {
  if (!(error.cause instanceof Error)) return error.message
  return knownSentence(error.cause) ?? `${error.message} ${error.cause.message}`
}

/** Errors whose message says all there is to say. */
const sentences = [EmbeddedPostgresError, RoleError, NodesError]

/** Why the program did not start, as one sentence with the remedy; the whole error where none is known. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return `These settings are not right:\n${error.message}`
  if (sentences.some((kind) => error instanceof kind)) return error.message
  if (error instanceof MigrationError) return explainMigrationFailure(error)
  return knownSentence(error) ?? error.stack ?? error.message
}
