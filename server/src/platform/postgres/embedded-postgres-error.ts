import { errorCode } from '../error-code.ts'
import { SentenceError } from '../sentence-error.ts'

/** The embedded database cannot be used. The message is one sentence for the operator and names the remedy. */
export class EmbeddedPostgresError extends SentenceError {
  override readonly name = 'EmbeddedPostgresError'
}

/** For whoever comes second to a data folder. */
export function refuseSecond(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another Inventory Manager already works with ${dataDir}. Stop it first, or choose another folder with DATA_DIR.`,
  )
}

const giveSpace = 'free some space, or set DATA_DIR to a directory on another disk'
const givePermission =
  'give the user who runs this program write permission there, or set DATA_DIR to another directory'

const causes: Record<string, { what: string; remedy: string }> = {
  ENOSPC: { what: 'No space left on device', remedy: giveSpace },
  EDQUOT: { what: 'Disk quota exceeded', remedy: giveSpace },
  EACCES: { what: 'Permission denied', remedy: givePermission },
  EPERM: { what: 'Operation not permitted', remedy: givePermission },
  EROFS: { what: 'Read-only file system', remedy: givePermission },
  EIO: {
    what: 'Input/output error',
    remedy: 'check the disk, or set DATA_DIR to a directory on another one',
  },
  EEXIST: { what: 'File exists', remedy: 'remove what is in the way, or set DATA_DIR to another directory' },
  ENOTDIR: { what: 'Not a directory', remedy: 'set DATA_DIR to a directory' },
}

/** Turns a file system's refusal into a sentence for the operator; any other error comes back unchanged. */
export function explainRefusal(error: unknown, dataDir: string): unknown {
  const cause = causes[errorCode(error) ?? '']
  if (cause === undefined) return error
  const path =
    error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : dataDir
  return new EmbeddedPostgresError(
    `The embedded database cannot use ${path}: ${cause.what}; ${cause.remedy}.`,
    { cause: error },
  )
}

/** The remedy that fits what PostgreSQL itself complained about. */
export function remedyFor(complaint: string): string {
  if (/No space left|quota/i.test(complaint)) return giveSpace
  if (/Permission denied|not permitted|Read-only/i.test(complaint)) return givePermission
  if (/user does not exist/.test(complaint))
    return 'start this program as a user who is listed in /etc/passwd'
  return 'correct this and start again, or set DATABASE_URL to a PostgreSQL server of your own'
}
