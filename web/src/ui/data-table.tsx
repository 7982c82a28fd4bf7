import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Column<T> = { head: string; cell: (row: T) => ReactNode; numeric?: boolean }

type DataTableProps<T> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

/** Rows and columns: a table at a desk, a card for each row on a handheld. Numbers stand to the right. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <table aria-label={label} className="w-full text-left text-base max-sm:block lg:text-sm">
      <thead className="text-muted max-sm:sr-only">
        <tr>
          {columns.map(({ head, numeric }) => (
            <th
              key={head}

              scope="col"
              className={classNames(
                'px-4 py-2 font-medium whitespace-nowrap',
                numeric === true && 'text-right',
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}

            className="border-t border-line align-top max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-4 max-sm:py-3"
          >
            {columns.map(({ head, cell, numeric }) => (
              <td
                key={head}
                className={classNames(
                  'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 sm:px-4 sm:py-3',
                  numeric === true && 'tabular-nums sm:text-right',
                )}
              >
                <span aria-hidden className="text-sm text-muted sm:hidden">
                  {head}
                </span>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
