import type pg from 'pg'
import { SentenceError } from '../sentence-error.ts'
import { onlyRow } from './only-row.ts'

/** A database that cannot hold all letters; the message says what to do. */
class EncodingError extends SentenceError {}

/** How a database keeps text, and the statement that makes one beside it which keeps it as the program needs it. */
export type TextKept = { encoding: string; foldsCase: boolean; remedy: string }

export async function findHowTextIsKept(owner: pg.Pool): Promise<TextKept> {
  const { rows } = await owner.query<{ encoding: string; foldsCase: boolean; another: string }>(`
    select current_setting('server_encoding') as encoding, lower('Ä') = 'ä' and upper('ä') = 'Ä' as "foldsCase",
      quote_ident(current_database() || '_utf8') as another
  `)
  const { another, ...found } = onlyRow(rows)
  const remedy = `create database ${another} encoding 'UTF8' locale 'C.UTF-8' template template0;`
  return { ...found, remedy }
}

/** What is needed of a database that keeps text so; null where it is right. */
export function whatTextNeeds({ encoding, remedy }: TextKept): string | null {
  return encoding === 'UTF8'
    ? null
    : `keeps text as ${encoding}, and the program needs UTF8. Make another one and name that: ${remedy}`
}

/** Throws EncodingError for a database in which parts of the program would fail, or find nothing. */
export async function requireUtf8(owner: pg.Pool): Promise<void> {
  const needed = whatTextNeeds(await findHowTextIsKept(owner))
  if (needed !== null) throw new EncodingError(`The database of DATABASE_URL ${needed}`)
}
