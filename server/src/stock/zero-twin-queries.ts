import type { ZeroTwins } from '@inventory-manager/contract/stock/zero-twins'
import { sql, type RawBuilder } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'

/** The lengths of barcodes of digits that begin with zeros. */
async function listZeroLedLengths(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ length: number }>`
    select distinct length(barcode) as length from components
    where tenant_id = ${tx.tenantId}::uuid and barcode >= '0' and barcode < '1' and barcode ~ '^0+[1-9][0-9]*$'
  `.execute(tx.db)
  return rows.map(({ length }) => length)
}

/** Which components are sought: with more zeros in front than a code has, with fewer, or with either. */
type Zeros = 'more' | 'fewer' | 'either'

const lengthIs = {
  more: sql<boolean>`other.digits > length(given.code)`,
  fewer: sql<boolean>`other.digits < length(given.code)`,
  either: sql<boolean>`other.digits <> length(given.code)`,
} satisfies Record<Zeros, RawBuilder<boolean>>

/**
 * Of codes of digits (`given`: rows of a code and its place) those that are the barcode of a component but for zeros in front, as
 * spreadsheets drop them and other programs add them.
 */
async function findTwins(
  tx: Tx,
  { given, zeros }: { given: RawBuilder<unknown>; zeros: Zeros },
): Promise<ZeroTwins | undefined> {
  const lengths = await listZeroLedLengths(tx)
  if (zeros === 'more' && lengths.length === 0) return undefined
  await findByWholeKeys(tx)
  const { rows } = await sql<ZeroTwins>`
    select given.code as barcode, found.barcode as component, (count(*) over ())::integer as rows
    from (${given}) as given (code, place)
    cross join lateral ltrim(given.code, '0') as bare (code)
    cross join lateral (
      select twin.barcode
      -- Its own digits alone, and as many as any barcode has that begins with zeros.
      from unnest(length(bare.code) || ${lengths}::integer[]) as other (digits)
      cross join lateral (
        select components.barcode from components
        where components.tenant_id = ${tx.tenantId}::uuid
          and components.barcode = lpad(bare.code, other.digits, '0')
        offset 0
      ) as twin
      where other.digits >= length(bare.code) and ${lengthIs[zeros]}
      limit 1
    ) as found
    order by given.place
    limit 1
  `.execute(tx.db)
  return rows[0]
}

/** Of an import's rows by their lines, whose barcodes are digits, those of which a component has more zeros, or fewer. */
export async function findStagedTwins(
  tx: Tx,
  id: string,
  { lines, zeros }: { lines: readonly number[]; zeros: Zeros },
): Promise<ZeroTwins | undefined> {
  if (lines.length === 0) return undefined
  const given = sql`
    select barcode, line from import_rows
    where tenant_id = ${tx.tenantId}::uuid and import_id = ${id}::uuid and line = any (${lines}::integer[])`
  return await findTwins(tx, { given, zeros })
}

/** Of codes those that are no component's, whatever their zeros: which of them a component has with more or fewer. */
export async function findNewTwins(tx: Tx, codes: readonly string[]): Promise<ZeroTwins | undefined> {
  const digits = codes.filter((code) => /^0*[1-9]\d*$/.test(code))
  if (digits.length === 0) return undefined
  await findByWholeKeys(tx)
  const { rows } = await sql<{ barcode: string }>`
    select barcode from components
    where tenant_id = ${tx.tenantId}::uuid and barcode = any (${digits}::text[])
  `.execute(tx.db)
  const present = new Set(rows.map(({ barcode }) => barcode))
  const fresh = digits.filter((code) => !present.has(code))
  if (fresh.length === 0) return undefined
  const given = sql`select code, place from unnest(${fresh}::text[]) with ordinality as fresh (code, place)`
  return await findTwins(tx, { given, zeros: 'either' })
}
