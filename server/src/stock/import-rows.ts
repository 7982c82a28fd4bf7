import { importComponents, importRow } from '@inventory-manager/contract/stock/endpoints'
import { severalComponents } from '@inventory-manager/contract/stock/many'
import { z } from '@inventory-manager/contract/zod'
import { AppError, type ErrorDetail } from '../platform/http/app-error.ts'
import { faultOfRow } from '../platform/http/validation.ts'

type GoodRow = z.output<typeof importRow>
/** A row that is not as the contract has it: what is wrong with it, and its barcode where it has a right one. */
type BadRow = { issues: z.core.$ZodIssue[]; barcode: string | null }
export type GivenRow = GoodRow | BadRow

const named = z.pick(importRow, { barcode: true })

function readRow(given: unknown): GivenRow {
  const row = importRow.safeParse(given)
  if (row.success) return row.data
  const { data } = named.safeParse(given)
  return { issues: row.error.issues, barcode: data?.barcode ?? null }
}

/** The call with rows that are read one by one, so that a bad one does not hide what is wrong with the others. */
export const importEndpoint = {
  ...importComponents,
  body: severalComponents(z.pipe(z.unknown(), z.transform(readRow))),
}

/** A row that can be looked at further, with where it stood. */
export type NumberedRow = { index: number; row: GoodRow }

export function goodRows(rows: readonly GivenRow[]): NumberedRow[] {
  return rows.flatMap((row, index) => ('issues' in row ? [] : [{ index, row }]))
}

/** In the order in which one is the code of them all. */
const codes = ['invalid_request', 'component_retired', 'location_not_in_plan'] as const

/** What is wrong with a row, as a detail of the refusal and as its sentence where it comes first. */
export type RowFault = { code: (typeof codes)[number]; index: number; message: string; sentence: string }

/** A fault whose message goes on from the row's number. */
export function rowFault(code: RowFault['code'], index: number, message: string): RowFault {
  return { code, index, message, sentence: `Row ${index + 1} ${message}` }
}

export function schemaFaults(rows: readonly GivenRow[]): RowFault[] {
  return rows.flatMap((row, index) =>
    'issues' in row ? [{ code: 'invalid_request', index, ...faultOfRow(index, row.issues) }] : [],
  )
}

export function duplicates(rows: readonly GivenRow[]): RowFault[] {
  const firstAt = new Map<string, number>()
  return rows.flatMap(({ barcode }, index) => {
    if (barcode === null) return []
    const first = firstAt.get(barcode)
    if (first !== undefined) {
      return [rowFault('invalid_request', index, `has the same barcode as row ${first + 1}.`)]
    }
    firstAt.set(barcode, index)
    return []
  })
}

/**
 * Throws where there is any fault: the sentence is that of the first bad row, and the details have each bad row once, in their
 * order, with the fault that comes first here. The code is 'invalid_request', or what all of them are.
 */
export function refuseFaults(faults: readonly RowFault[]): void {
  const code = codes.find((known) => faults.some((fault) => fault.code === known))
  if (code === undefined) return
  const ofRows = new Map<number, RowFault>()
  for (const fault of faults) if (!ofRows.has(fault.index)) ofRows.set(fault.index, fault)
  const bad = [...ofRows.values()].toSorted((a, b) => a.index - b.index)
  const details = bad.map(({ index, message }): ErrorDetail => ({ path: String(index), message }))
  throw new AppError(code, { ...(bad[0] === undefined ? {} : { sentence: bad[0].sentence }), details })
}
