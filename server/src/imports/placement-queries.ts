import type { ImportRowKind, PreviewRow } from '@inventory-manager/contract/imports/preview-row'
import { locations, type Location } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** Whether a file of these columns says anything of bins and minimums. */
export function namesPlacements(fields: readonly string[]): boolean {
  return locations.some(({ binField, minimumField }) =>
    [binField, minimumField].some((field) => fields.includes(field)),
  )
}

type PlacementChange = PreviewRow['placements'][number]

/** What rows that can be taken would make of the bins and minimums of their components, by their line. */
export async function listPlacementChanges(
  tx: Tx,
  id: string,
  rows: readonly { line: number; kind: ImportRowKind }[],
): Promise<Map<number, PlacementChange[]>> {
  const lines = rows.filter(({ kind }) => kind === 'new' || kind === 'changed').map(({ line }) => line)
  const byLine = new Map<number, PlacementChange[]>()
  if (lines.length === 0) return byLine
  await findByWholeKeys(tx)
  const { rows: changes } = await sql<PlacementChange & { line: number }>`
    select import_rows.line, given.location, coalesce(placements.bin, '') as old_bin,
      coalesce(given.bin, placements.bin, '') as bin, placements.minimum as old_minimum,
      coalesce(given.minimum, placements.minimum) as minimum
    from import_rows
    cross join lateral rows from (
      jsonb_to_recordset(import_rows.placements) as (location text, bin text, minimum integer)
    ) with ordinality as given (location, bin, minimum, place)
    left join components
      on components.tenant_id = import_rows.tenant_id and components.barcode = import_rows.barcode
    left join placements
      on placements.tenant_id = components.tenant_id and placements.component_id = components.id
        and placements.location = given.location
    where import_rows.tenant_id = ${tx.tenantId}::uuid and import_rows.import_id = ${id}::uuid
      and import_rows.line = any (${lines}::integer[])
      and (given.bin <> coalesce(placements.bin, '') or given.minimum <> coalesce(placements.minimum, -1))
    order by import_rows.line, given.place
  `.execute(tx.db)
  for (const { line, ...change } of changes) byLine.set(line, [...(byLine.get(line) ?? []), change])
  return byLine
}

/** Whether good rows of a staged import say anything of stock, bins or minimums at some of the locations. */
export async function isAbout(tx: Tx, id: string, closed: readonly Location[]): Promise<boolean> {
  if (closed.length === 0) return false
  const quantities = sql.join(closed.map(({ quantityField }) => sql.ref(quantityField)))
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from import_rows
      where tenant_id = ${tx.tenantId}::uuid and import_id = ${id}::uuid and fault is null
        and (
          num_nonnulls(${quantities}) > 0
          or placements is not null and exists (
            select from jsonb_to_recordset(placements) as given (location text)
            where given.location = any (${closed.map(({ code }) => code)}::text[])
          )
        )
    ) as found
  `.execute(tx.db)
  return onlyRow(rows).found
}

/** Of how many components an import changed bins or minimums. */
export async function countPlaced(tx: Tx, id: string): Promise<number> {
  const { placed } = await tx.db
    .selectFrom('import_placements')
    .select((eb) => eb.cast<number>(eb.fn.count('component_id').distinct(), 'integer').as('placed'))
    .where('tenant_id', '=', tx.tenantId)
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  return placed
}
