import pg from 'pg'
import { AppAddressError } from './platform/db/app-role.ts'
import { ConfigError } from './platform/config.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { sqlState } from './platform/db/errors.ts'
import { SentenceError } from './platform/sentence-error.ts'

const silent =
  'The database at DATABASE_URL does not answer. Check that it runs and that the address is right.'
const forbidden = (path: string) =>
  `No permission to use ${path}. Run this as the user whom it belongs to, or choose another folder with DATA_DIR.`
const noFolder = (path: string) => `${path} cannot be: DATA_DIR names a file. Set it to a folder.`
const full = 'The disk that holds DATA_DIR is full. Free some space and start again.'

const absent = (path: string) => `There is no ${path}. Correct the setting that names it.`

/** By the system's code of an error. */
const systemSentences: Record<string, (path: string) => string> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: forbidden,
  ENOSPC: () => full,
  EDQUOT: () => full,
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  ECONNREFUSED: () => silent,
  ECONNRESET: () => silent,
  EAI_AGAIN: () => silent,
  EHOSTUNREACH: () => silent,
  ENETUNREACH: () => silent,
  ENOTFOUND: () => silent,
  ETIMEDOUT: () => silent,
}

const forbiddenState = '42501'

/** By the SQLSTATE that the database gave. */
const databaseSentences: Record<string, string> = {
  '25006':
    'The database of DATABASE_URL takes no writes: it is a standby, or set to read only. Name the server that the standby follows, or set default_transaction_read_only to off.',
  '28P01': 'The database refused the user or password of DATABASE_URL.',
  '28000': 'The database refused the user or password of DATABASE_URL, or this machine (pg_hba.conf).',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it first.',
  [forbiddenState]:
    'The database role of DATABASE_URL may not do what is needed: it must own the database and be allowed to create roles.',
  '53100': 'The disk of the database is full. Free some space and start again.',
  '53300': 'The database has no connection left. Raise its max_connections, or lower DATABASE_POOL_SIZE.',
  '57P03': 'The database is starting or stopping. Start again in a moment.',
}

const noPassword =
  'The database asks for a password, and DATABASE_URL has none. Put it into the address, after the user and a colon.'

/** What TLS makes of a certificate that it does not trust. */
const untrusted = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** What has no code of its own: how pg words it. */
function wordedSentence({ message }: Error): string | null {
  if (/timeout expired|Connection terminated/.test(message)) return silent
  if (message.includes('client password must be')) return noPassword
  if (!message.includes('does not support SSL')) return null
  return 'The database at DATABASE_URL does not speak TLS. Switch it on there, or take sslmode out of the address.'
}

function systemSentence(error: NodeJS.ErrnoException): string | null {
  const { code = '', syscall, path = 'the data folder' } = error
  if (untrusted.test(code)) {
    return `The certificate of the database at DATABASE_URL is not trusted (${code}). Name its authority by sslrootcert in the address.`
  }
  // A socket's folder that is not there, or a certificate's file.
  if (code === 'ENOENT' && syscall === 'connect') return silent
  if (code === 'ENOENT' && syscall === 'open') return absent(path)
  return systemSentences[code]?.(path) ?? wordedSentence(error)
}

/** What was forbidden by which right: the sentence alone knows neither. */
function ownWords(error: Error): string {
  const detail = error instanceof pg.DatabaseError ? error.detail : undefined
  return detail === undefined ? `${error.message}.` : `${error.message}. ${detail}`
}

function knownSentence(error: Error): string | null {
  const state = sqlState(error)
  if (state === null) return systemSentence(error)
  const sentence = databaseSentences[state]
  if (sentence === undefined) return null
  return state === forbiddenState ? `${sentence} PostgreSQL says: ${ownWords(error)}` : sentence
}

function explainMigrationFailure(error: MigrationError): string {
  if (!(error.cause instanceof Error)) return error.message
  return knownSentence(error.cause) ?? `${error.message} ${error.cause.message}`
}

/** Why the program did not start, as one sentence with the remedy; the whole error where none is known. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return `These settings are not right:\n${error.message}`
  if (error instanceof SentenceError) return error.message
  if (error instanceof AppAddressError) {
    return explainStartFailure(error.cause).replaceAll('DATABASE_URL', 'DATABASE_APP_URL')
  }
  if (error instanceof MigrationError) return explainMigrationFailure(error)
  return knownSentence(error) ?? error.stack ?? error.message
}
