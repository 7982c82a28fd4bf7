import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'

/** A name without what nobody tells two by: capitals, forms of a letter, how wide a blank is, and what is not seen. */
function asRead(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toUpperCase()
    .toLowerCase()
}

/**
 * Throws 'name_taken' for a name that somebody else of the company has, has left with, or an API key goes by: what people did is read by
 * their names. Call with the company locked.
 * @param own the id of who is to be called so, where they are a user already
 */
export async function requireFreeName(tx: Tx, name: string, own?: string): Promise<void> {
  const users = await tx.db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('tenant_id', '=', tx.tenantId)
    .execute()
  const read = asRead(name)
  if (users.some((user) => user.id !== own && asRead(user.name) === read)) throw new AppError('name_taken')
}
