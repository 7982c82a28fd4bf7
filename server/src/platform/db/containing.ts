import { sql, type RawBuilder } from 'kysely'

/** The pattern of text to be found as it is, with LIKE's own signs taken literally. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}

/** Whether a column holds what `containing` gives, in whichever letters: made small once, where ILIKE makes both small for each row. */
export function holds(column: string, pattern: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) like (select lower(${pattern}::text))`
}
